// Table II, the branches: simple, two chained ones, nested; each leaking and clean.
#include <stdlib.h>

void simple_branch_leaks(int a) {
    char *p = malloc(10); // LEAK simple
    if (a > 0)
        free(p);
} // LOST simple; WHEN: a <= 0

void simple_branch_clean(int a) {
    char *p = malloc(10); // OK
    if (a > 0)
        free(p);
    else
        free(p);
}

void chain_branch_1_leaks(int a, int b) {
    char *p = NULL;
    if (a > 0)
        p = malloc(10); // LEAK chain1
    if (b > 0)
        free(p);
} // LOST chain1

void chain_branch_1_clean(int a) {
    char *p = NULL;
    if (a > 0)
        p = malloc(10); // OK
    if (a > 0)
        free(p);
}

void chain_branch_2_leaks(int a) {
    char *p, *q;
    if (a > 0) {
        p = malloc(10); // OK
        q = malloc(10); // LEAK chain2
    } else {
        p = NULL;
        q = malloc(20); // OK
    }
    if (a > 0)
        free(p);
    else
        free(q);
} // LOST chain2

void chain_branch_2_clean(int a) {
    char *p = NULL, *q = NULL;
    if (a > 0)
        p = malloc(10); // OK
    else
        q = malloc(10); // OK
    if (a <= 0)
        free(q);
    else
        free(p);
}

void nesting_branch_leaks(int a, int b, int c) {
    if (a > 0) {
        char *p = malloc(10); // LEAK nested
        if (b > 0) {
            if (c > 0)
                free(p);
        } else {
            free(p);
        }
    } // LOST nested
} // LOST nested

void nesting_branch_clean(int a, int b, int c) {
    if (a > 0) {
        char *p = malloc(10); // OK
        if (b > 0) {
            if (c > 0)
                free(p);
            else
                free(p);
        } else {
            free(p);
        }
    }
}
