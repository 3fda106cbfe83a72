// Stores that nobody reads and calls that do nothing are left out of the evaluation. Beside each of
// them stands one that looks the same and decides whether the block is freed: with main, so that
// what the program reads is known. What main loses once is no sure leak.
// run: --level=likely --impact=at-exit
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct place {
    int line, column, more[6];
};

static struct place unread, asked;
static int by_pointer, by_callee, by_test, table[4], copied[2], of_library = 1;
static int nobody[4];
static unsigned char bytes[16];
static int kept_fd;
static union {
    int whole;
    unsigned char part[4];
} mixed;

static void print_spaces(int n) {
    for (int i = 0; i < n; i++)
        putchar(' ');
}
static void set_test(int n) {
    by_test = n & 1;
}
static void set_nobody(int n) {
    nobody[1] = n & 1;
}
static void stop_if(int n) {
    if (n)
        exit(1);
}
static void drop(char *p) {
    free(p);
}
static int is_column(struct place p) {
    return p.column == 7;
}
static void set_at(int *p) {
    *p = 7;
}
static int ask_callee(void) {
    return by_callee;
}

int nothing_that_is_asked(int n) {
    char *p = malloc(8); // LEAK nothing; WHEN: n & 16
    if (!p)
        return -1;
    if (n & 1)
        printf("odd %d\n", n);
    else
        puts("even");
    if (n & 2)
        set_nobody(n);
    if (n & 4)
        print_spaces(n);
    if (n & 8)
        unread.line = n + 1;
    if (n & 16)
        return 1; // LOST nothing
    free(p);
    return 0;
}

int nothing_that_is_asked_and_freed(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    if (n & 1)
        printf("odd %d\n", n);
    if (n & 2)
        set_nobody(n);
    if (n & 4)
        print_spaces(n);
    unread.column = 2;
    free(p);
    return 0;
}

int set_by_a_call(int n) {
    char *p = malloc(8); // LEAK set_by_a_call
    if (!p)
        return -1;
    set_test(1);
    if (by_test)
        return n; // LOST set_by_a_call
    free(p);
    return 0;
}
int cleared_by_a_call(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    set_test(2);
    if (by_test)
        return n;
    free(p);
    return 0;
}

int read_through_a_pointer(int n) {
    char *p = malloc(8); // LEAK read_through_a_pointer
    int *at = n > 3 ? &by_pointer : &table[0];
    if (!p)
        return -1;
    by_pointer = 5;
    table[0] = 5;
    if (*at == 5)
        return n; // LOST read_through_a_pointer
    free(p);
    return 0;
}
int another_through_a_pointer(int n) {
    char *p = malloc(8); // OK
    int *at = n > 3 ? &by_pointer : &table[0];
    if (!p)
        return -1;
    by_pointer = 6;
    table[0] = 6;
    if (*at == 5)
        return n;
    free(p);
    return 0;
}

int read_by_a_callee(int n) {
    char *p = malloc(8); // LEAK read_by_a_callee
    if (!p)
        return -1;
    by_callee = 1;
    if (ask_callee())
        return n; // LOST read_by_a_callee
    free(p);
    return 0;
}
int cleared_for_a_callee(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    by_callee = 0;
    if (ask_callee())
        return n;
    free(p);
    return 0;
}

int handed_over_by_value(int n) {
    char *p = malloc(8); // LEAK handed_over_by_value
    if (!p)
        return -1;
    asked.column = 7;
    if (is_column(asked))
        return n; // LOST handed_over_by_value
    free(p);
    return 0;
}
int another_by_value(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    asked.column = 8;
    if (is_column(asked))
        return n;
    free(p);
    return 0;
}

int copied_elsewhere(int n) {
    char *p = malloc(8); // LEAK copied_elsewhere
    int to[2];
    if (!p)
        return -1;
    copied[0] = 3;
    memcpy(to, copied, sizeof to);
    if (to[0] == 3)
        return n; // LOST copied_elsewhere
    free(p);
    return 0;
}
int another_copied(int n) {
    char *p = malloc(8); // OK
    int to[2];
    if (!p)
        return -1;
    copied[0] = 4;
    memcpy(to, copied, sizeof to);
    if (to[0] == 3)
        return n;
    free(p);
    return 0;
}

int read_as_bytes(int n) {
    char *p = malloc(8); // LEAK read_as_bytes
    if (!p)
        return -1;
    mixed.whole = 0;
    bytes[3] = 9;
    if (!mixed.part[0] && bytes[3] == 9)
        return n; // LOST read_as_bytes
    free(p);
    return 0;
}

int written_through_a_pointer(int n) {
    char *p = malloc(8); // OK
    int x = 5;
    if (!p)
        return -1;
    x = 6;
    set_at(&x);
    if (x == 6)
        return n;
    free(p);
    return 0;
}

int ended_by_a_call(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    stop_if(n);
    if (n)
        return 1;
    free(p);
    return 0;
}

int freed_by_a_call(int n) {
    char *p = malloc(8); // OK
    if (!p)
        return -1;
    if (n & 1)
        print_spaces(n);
    drop(p);
    return 0;
}
int not_freed_by_a_call(int n) {
    char *p = malloc(8); // LEAK not_freed_by_a_call
    if (!p)
        return -1;
    if (n & 1)
        print_spaces(n);
    return 0; // LOST not_freed_by_a_call
}

// A descriptor is a number, and this is all that is left of it.
int kept_where_nobody_reads(const char *name) {
    kept_fd = open(name, O_RDONLY); // OK
    return kept_fd >= 0;
}
static int forgotten_fd;
void kept_and_never_read(const char *name) {
    forgotten_fd = open(name, O_RDONLY); // OK
}
int only_printed(const char *name) {
    int fd = open(name, O_RDONLY); // RESOURCE-LEAK only_printed
    if (fd < 0)
        return -1;
    printf("%d\n", fd);
    return 0; // LOST only_printed
}
int printed_and_closed(const char *name) {
    int fd = open(name, O_RDONLY); // OK
    if (fd < 0)
        return -1;
    printf("%d\n", fd);
    close(fd);
    return 0;
}

int printed_after_free(int n) {
    char *p = malloc(8);
    if (!p)
        return -1;
    p[0] = 0;
    free(p);
    if (n)
        printf("%s\n", p); // USE-AFTER-FREE
    return 0;
}

int written_after_free(int n) {
    char *p = malloc(8);
    if (!p)
        return -1;
    free(p);
    if (n)
        *p = 1; // USE-AFTER-FREE
    return 0;
}

static union {
    char *text;
    long number;
} held;
void overwritten_by_a_number(void) {
    held.text = malloc(8); // LEAK overwritten
    held.number = 0;       // LOST overwritten
}
void overwritten_when_freed(void) {
    held.text = malloc(8); // OK
    free(held.text);
    held.number = 0;
}

int main(int argc, char **argv) {
    int n = nothing_that_is_asked(argc) + nothing_that_is_asked_and_freed(argc);
    n += set_by_a_call(n) + cleared_by_a_call(n);
    n += read_through_a_pointer(n) + another_through_a_pointer(n);
    n += read_by_a_callee(n) + cleared_for_a_callee(n);
    n += handed_over_by_value(n) + another_by_value(n);
    n += copied_elsewhere(n) + another_copied(n);
    n += read_as_bytes(n) + written_through_a_pointer(n) + ended_by_a_call(n);
    n += freed_by_a_call(n) + not_freed_by_a_call(n);
    n += kept_where_nobody_reads(argv[0]) + only_printed(argv[0]) + printed_and_closed(argv[0]);
    kept_and_never_read(argv[1]);
    overwritten_by_a_number();
    overwritten_when_freed();
    return n + printed_after_free(n) + written_after_free(n) + of_library;
}
