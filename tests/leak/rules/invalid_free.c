// invalid-free: what never came from the allocator, or not its start.
#include <stdlib.h>
#include <string.h>

static int global;
static char table[10];

void of_a_local(void) {
    int x = 0;
    int *p = &x;
    free(p); // INVALID-FREE
}

void of_an_array(void) {
    char a[10];
    a[0] = 0;
    free(a); // INVALID-FREE
}

void of_a_global(void) {
    free(&global); // INVALID-FREE
}

void of_a_global_array(int n) {
    char *p = table;
    if (n > 10)
        p = malloc(n);
    free(p); // INVALID-FREE
}

void of_a_literal(int n) {
    char *p = "none";
    if (n)
        p = strdup("some");
    free(p); // INVALID-FREE
}

void of_the_middle(void) {
    char *p = malloc(10);
    if (p == NULL)
        return;
    p++;
    free(p); // INVALID-FREE
}

void of_a_field(void) {
    struct pair {
        int a, b;
    } *p = malloc(sizeof *p);
    if (p == NULL)
        return;
    free(&p->b); // INVALID-FREE
}

void of_what_was_moved_in_a_loop(const char *s) {
    char *p = strdup(s);
    if (p == NULL)
        return;
    while (*p == ' ')
        p++;
    free(p); // INVALID-FREE
}

void of_the_start_again(void) {
    char *p = malloc(10); // OK
    if (p == NULL)
        return;
    p++;
    free(p - 1);
}

void of_the_first_field(void) {
    struct pair {
        int a, b;
    } *p = malloc(sizeof *p); // OK
    if (p == NULL)
        return;
    free(&p->a);
}

void of_the_kept_start(const char *s) {
    char *start = strdup(s); // OK
    if (start == NULL)
        return;
    char *p = start;
    while (*p == ' ')
        p++;
    free(start);
}

void of_a_heap_or_nothing(int n) {
    char *p = NULL;
    if (n > 10)
        p = malloc(n); // OK
    free(p);
}
