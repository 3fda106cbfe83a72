// Figure 14: one return gives new memory, the other what the argument already held.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

int n;

static int *f(List *p) {
    if (n)
        return malloc(4); // LEAK fresh
    return p->val;
}

void the_result_is_forgotten(List *p) {
    int *v = f(p);
    (void)v;
} // LOST fresh

void freed_exactly_when_allocated(List *p) {
    int *v = f(p);
    if (n)
        free(v);
}

void the_arguments_value_is_freed_twice(void) {
    List *p = calloc(1, sizeof *p); // OK
    if (p == NULL)
        return;
    p->val = malloc(4); // OK
    int *v = f(p);
    free(v);
    free(p->val); // DOUBLE-FREE
    free(p);
}
