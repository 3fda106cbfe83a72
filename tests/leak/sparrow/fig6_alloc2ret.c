// Figure 6, Alloc2Ret: the shape of the returned structure is known to the caller.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

static List *make2List(void) {
    List *lst = malloc(sizeof *lst);
    lst->val = malloc(sizeof(int)); // LEAK first_val
    lst->next = malloc(sizeof *lst);
    (lst->next)->val = malloc(sizeof(int)); // LEAK second_val
    return lst;
}

void all_four_are_freed(void) {
    List *l = make2List();
    free(l->next->val);
    free(l->next);
    free(l->val);
    free(l);
}

void the_first_value_is_forgotten(void) {
    List *l = make2List();
    free(l->next->val);
    free(l->next);
    free(l); // LOST first_val
}

void the_second_value_is_forgotten(void) {
    List *l = make2List();
    free(l->next); // LOST second_val
    free(l->val);
    free(l);
}
