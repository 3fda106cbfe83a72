// Figure 9: of all that the six procedures allocate, free and attach, exactly one node leaks: the
// one that lst2 points to.
#include <stdlib.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

int *table;
int *cell;

static void freeNext(List *lst) {
    free(lst->next);
}

static void attachGlob(int *p1, int ***p2) {
    table = p1;
    *p2 = &cell;
}

static void makeArray(int **p) {
    *p = malloc(10 * sizeof **p); // OK
}

static List *make2List(void) {
    List *lst = malloc(sizeof *lst);        // OK
    lst->val = malloc(sizeof(int));         // OK
    lst->next = malloc(sizeof *lst);        // OK
    (lst->next)->val = malloc(sizeof(int)); // OK
    return lst;
}

static List *renewList(List *lst) {
    List *fresh = malloc(sizeof *fresh); // LEAK node
    fresh->next = lst->next;
    free(lst->val);
    free(lst);
    return fresh;
}

void leak(void) {
    List *lst1, *lst2;
    int **ptr;
    lst1 = make2List();
    lst2 = renewList(lst1);
    attachGlob((lst2->next)->val, &ptr);
    makeArray(ptr);
    freeNext(lst2);
} // LOST node
