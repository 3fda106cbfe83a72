// Section 3: foo returns 1 exactly when it has allocated, so bar's early return is no leak.
#include <stdlib.h>

int n;

static int foo(int **pp) {
    if (n == 0)
        return 0;
    *pp = malloc(n); // OK
    return 1;
}

void bar(void) {
    int *p;
    if (foo(&p) == 0)
        return;
    free(p);
}

static int foo_leaking(int **pp) {
    if (n == 0)
        return 0;
    *pp = malloc(n); // LEAK p
    return 1;
}

void bar_returns_in_the_wrong_case(void) {
    int *p = NULL;
    if (foo_leaking(&p) == 1)
        return; // LOST p
    free(p);
}

static int make_pair(int **a, int **b) {
    *a = malloc(4); // OK
    if (*a == NULL)
        return -1;
    *b = malloc(4); // OK
    if (*b == NULL) {
        free(*a);
        *a = NULL;
        return -1;
    }
    return 0;
}

int pair_or_nothing(void) {
    int *a, *b;
    if (make_pair(&a, &b) < 0)
        return -1;
    free(a);
    free(b);
    return 0;
}
