// use-after-free: what a format reads is used, also inside a helper that asks for null first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void print_line(const char *line) {
    if (line != NULL)
        printf("%s\n", line);
}

static void print_address(const void *at) {
    printf("%p\n", at);
}

static void print_count(int n, const char *line) {
    if (n > 3)
        printf("%d %s\n", n, line);
}

void read_by_the_format(void) {
    char *p = strdup("a");
    if (p == NULL)
        return;
    free(p);
    printf("it was %5d%% %-*s\n", 1, 10, p); // USE-AFTER-FREE
}

void printed_by_the_helper(void) {
    char *p = strdup("a");
    if (p == NULL)
        return;
    free(p);
    print_line(p); // USE-AFTER-FREE
}

void only_the_address(void) {
    char *p = strdup("a");
    if (p == NULL)
        return;
    free(p);
    printf("%p was %s\n", (void *)p, "freed");
    print_address(p);
}

void read_by_the_helper_for_some_counts(int n) {
    char *p = strdup("a");
    if (p == NULL)
        return;
    free(p);
    print_count(n, p); // USE-AFTER-FREE; WHEN: n > 3
}

void printed_in_time(void) {
    char *p = strdup("a");
    if (p == NULL)
        return;
    print_line(p);
    print_count(4, p);
    free(p);
    print_line(NULL);
}

static void print_wide(const wchar_t *line) {
    if (line != NULL)
        wprintf(L"%ls\n", line);
}

void wide_line(void) {
    wchar_t *p = calloc(10, sizeof *p);
    if (p == NULL)
        return;
    free(p);
    print_wide(p); // USE-AFTER-FREE
}
