// Figure 1: f allocates for its result or for its argument; g hands on only the result.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

int n;

static void *f(List *p) {
    if (n)
        return malloc(4); // OK
    p->next = malloc(10); // LEAK cell
    return NULL;
}

void *the_cell_reachable_from_k_leaks(void) {
    List k;
    void *a = f(&k);
    return a; // LOST cell; WHEN: n == 0
}

static void *f_again(List *p) {
    if (n)
        return malloc(4); // OK
    p->next = malloc(10); // OK
    return NULL;
}

void *both_cells_are_handed_on(List **rest) {
    List k = {NULL, NULL};
    void *a = f_again(&k);
    *rest = k.next;
    return a;
}

void both_cells_are_freed(void) {
    List k = {NULL, NULL};
    void *a = f_again(&k);
    free(k.next);
    free(a);
}
