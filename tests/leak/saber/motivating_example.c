// The slides' example: the block flows to a free through *q on one branch and through bar on the
// other; without the free in bar it leaks when c is 0.
#include <stdlib.h>

static void bar(int *r) {
    free(r);
}

void safe_both_branches_free(int c) {
    int *a;
    int *p;
    int **q = &a;
    p = malloc(sizeof *p); // OK
    *q = p;
    if (c) {
        free(*q);
    } else {
        bar(p);
    }
}

static void bar_without_free(int *r) {
    (void)r;
}

void leaks_when_not_c(int c) {
    int *a;
    int *p;
    int **q = &a;
    p = malloc(sizeof *p); // LEAK o
    *q = p;
    if (c) {
        free(*q);
    } else {
        bar_without_free(p);
    }
} // LOST o; WHEN: !c
