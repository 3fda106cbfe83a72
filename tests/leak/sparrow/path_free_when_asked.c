// Section 3: `if (n) free(p)` frees in the caller exactly when n is not 0.
#include <stdlib.h>

static void free_when(int *p, int n) {
    if (n)
        free(p);
}

void leaks_when_n_is_zero(int n) {
    int *p = malloc(4); // LEAK p
    free_when(p, n);
} // LOST p; WHEN: n == 0

void asked_to_free(void) {
    int *p = malloc(4); // OK
    free_when(p, 1);
}

void asked_not_to_free(void) {
    int *p = malloc(4); // LEAK kept
    free_when(p, 0);
} // LOST kept

void freed_here_when_not_there(int n) {
    int *p = malloc(4); // OK
    free_when(p, n);
    if (!n)
        free(p);
}

void freed_here_and_there(int n) {
    int *p = malloc(4); // OK
    free_when(p, n);
    free(p); // DOUBLE-FREE; WHEN: n != 0
}
