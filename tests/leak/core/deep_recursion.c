// Recursion deeper than the evaluation follows: what comes back is of the kind that comes back from
// the depths that are known.
// run: --level=likely
#include <stdlib.h>

static int *make(int n) {
    if (n > 0)
        return make(n - 1);
    return malloc(10); // LEAK made LIKELY because DEEP_RECURSION
}

static int *made_on_one_side(int n, int *given) {
    if (n > 0)
        return made_on_one_side(n - 1, given);
    return given;
}

void forgotten(void) {
    int *p = make(10);
    if (p != NULL)
        *p = 1;
} // LOST made

void freed(void) {
    int *p = make(10);
    free(p);
}

void passed_down(void) {
    int *p = malloc(10), *q = made_on_one_side(10, p); // OK
    free(q);
}
