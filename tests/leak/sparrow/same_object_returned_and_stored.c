// Section 3: the returned block and the stored block are one and the same.
#include <stdlib.h>

static int *foo(int **pp) {
    int *p = malloc(4); // OK
    *pp = p;
    return p;
}

void freed_through_the_result(void) {
    int *stored;
    int *p = foo(&stored);
    free(p);
}

void freed_through_the_argument(void) {
    int *stored;
    foo(&stored);
    free(stored);
}

void freed_through_both(void) {
    int *stored;
    int *p = foo(&stored);
    free(p);
    free(stored); // DOUBLE-FREE
}

static int *foo_leaking(int **pp) {
    int *p = malloc(4); // LEAK one
    *pp = p;
    return p;
}

void forgotten_both_ways_is_one_leak(void) {
    int *stored;
    int *p = foo_leaking(&stored);
    (void)p;
} // LOST one
