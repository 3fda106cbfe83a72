// Section 3: the global holds the first block until the second call overwrites it. Sparrow, with
// one node for all globals, misses this leak.
#include <stdlib.h>

int *gp;

static void f(int *p) {
    gp = p; // LOST first
}

void the_first_is_lost_in_the_second_call(void) {
    int *p = malloc(4); // LEAK first
    f(p);
    p = malloc(8); // OK
    f(p);          // LOST first
}

static void replace(int *p) {
    free(gp);
    gp = p;
}

void the_first_is_freed_by_the_second_call(void) {
    int *p = malloc(4); // OK
    replace(p);
    p = malloc(8); // OK
    replace(p);
}

int *other;

void two_globals_hold_two_blocks(void) {
    gp = malloc(4);    // OK
    other = malloc(8); // OK
}
