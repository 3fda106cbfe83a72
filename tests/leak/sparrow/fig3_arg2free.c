// Figure 3, Arg2Free: freeNext frees what its argument's next points to, and no more.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

static void freeNext(List *lst) {
    free(lst->next);
}

void the_rest_is_freed_too(void) {
    List *lst = malloc(sizeof *lst); // OK
    if (lst == NULL)
        return;
    lst->next = malloc(sizeof *lst); // OK
    freeNext(lst);
    free(lst);
}

void only_the_next_is_freed(void) {
    List *lst = malloc(sizeof *lst); // LEAK head
    if (lst == NULL)
        return;
    lst->next = malloc(sizeof *lst); // OK
    freeNext(lst);
} // LOST head

void the_next_is_freed_twice(void) {
    List *lst = malloc(sizeof *lst); // OK
    if (lst == NULL)
        return;
    lst->next = malloc(sizeof *lst); // OK
    freeNext(lst);
    free(lst->next); // DOUBLE-FREE
    free(lst);
}
