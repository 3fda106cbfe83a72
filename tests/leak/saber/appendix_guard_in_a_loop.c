// The appendix: v is freed after the loop unless the loop returns early.
#include <stdlib.h>

void freed_unless_the_loop_returns(int n) {
    int *v = malloc(4); // LEAK v
    for (int k = 0; k < 10; k++) {
        if (n < 2)
            ;
        else
            return; // LOST v; WHEN: n >= 2
    }
    free(v);
}

void freed_on_the_early_return_too(int n) {
    int *v = malloc(4); // OK
    for (int k = 0; k < 10; k++) {
        if (n >= 2) {
            free(v);
            return;
        }
    }
    free(v);
}
