// Figure 2: what f frees depends on whether its two arguments are the same list.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

static void f(List *x, List *y) {
    free(y->next);
    free(x); // LOST tail
}

void both_are_freed_through_the_alias(void) {
    List *a = malloc(sizeof *a); // OK
    if (a == NULL)
        return;
    List *b = a;
    a->next = malloc(sizeof *a); // OK
    f(a, b);
}

void the_tail_leaks_when_the_lists_differ(void) {
    List *a = calloc(1, sizeof *a); // OK
    List *b = calloc(1, sizeof *b); // OK
    if (a != NULL && b != NULL) {
        a->next = calloc(1, sizeof *a); // LEAK tail
        f(a, b);                        // LOST tail
        free(b);
        return;
    }
    free(a);
    free(b);
}
