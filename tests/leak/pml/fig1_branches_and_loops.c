// Figure 1: allocation under B1, release under B2; the four cases, with branches and with loops.
#include <stdlib.h>

void leak_when_b1_and_not_b2(int b1, int b2) {
    int *p = NULL;
    if (b1)
        p = malloc(4); // LEAK p
    if (b2)
        free(p);
} // LOST p

void unallocated_is_freed_when_b2_and_not_b1(int b1, int b2) {
    int local = 0;
    int *p = &local;
    if (b1)
        p = malloc(4); // OK
    if (b1 || b2)
        free(p); // INVALID-FREE
}

void same_branch_twice(int b) {
    int *p = NULL;
    if (b)
        p = malloc(4); // OK
    if (b)
        free(p);
}

void allocated_in_a_loop_freed_once(int n) {
    int *p = NULL;
    for (int i = 0; i < n; i++)
        p = malloc(4); // LEAK loop; LOST loop
    free(p);
}

void allocated_once_freed_in_a_loop(int n) {
    int *p = malloc(4); // LEAK once
    for (int i = 0; i < n; i++)
        free(p); // DOUBLE-FREE
} // LOST once

void allocated_and_freed_in_each_round(int n) {
    for (int i = 0; i < n; i++) {
        int *p = malloc(4); // OK
        free(p);
    }
}
