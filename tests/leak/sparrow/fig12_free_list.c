// Figure 12: the list is released while walking it. The paper's loop reads next from the node
// that it has just freed; the right loop reads it before.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

void next_is_read_after_the_free(List *p) {
    List *t = p;
    while (t != 0) {
        free(t);
        p = p->next; // USE-AFTER-FREE
        t = p;
    }
}

static void free_list(List *p) {
    while (p != 0) {
        List *next = p->next;
        free(p);
        p = next;
    }
}

void two_nodes_released(void) {
    List *a = calloc(1, sizeof *a); // OK
    if (a == NULL)
        return;
    a->next = calloc(1, sizeof *a); // OK
    free_list(a);
}

void only_the_tail_released(void) {
    List *a = calloc(1, sizeof *a); // LEAK head
    if (a == NULL)
        return;
    a->next = calloc(1, sizeof *a); // OK
    free_list(a->next);
} // LOST head
