// Figure 8, Arg2Ret: renewList replaces the head; the rest of the argument hangs on the result.
#include <stdlib.h>
#include <string.h>

typedef struct List {
    struct List *next;
    int *val;
} List;

static List *renewList(List *lst) {
    List *fresh = malloc(sizeof *fresh); // OK
    fresh->val = NULL;
    fresh->next = lst->next;
    free(lst->val);
    free(lst);
    return fresh;
}

void old_head_freed_inside_rest_freed_outside(void) {
    List *l = calloc(1, sizeof *l); // OK
    if (l == NULL)
        return;
    l->next = calloc(1, sizeof *l); // OK
    List *m = renewList(l);
    free(m->next);
    free(m);
}

void the_rest_is_lost_with_the_new_head(void) {
    List *l = calloc(1, sizeof *l); // OK
    if (l == NULL)
        return;
    l->next = calloc(1, sizeof *l); // LEAK rest
    List *m = renewList(l);
    free(m); // LOST rest
}

void copying_returns_the_argument(void) {
    char *buffer = malloc(64); // OK
    if (buffer == NULL)
        return;
    char *same = strcpy(buffer, "text");
    free(same);
}

void copied_and_freed_twice(void) {
    char *buffer = malloc(64); // OK
    if (buffer == NULL)
        return;
    char *same = strcpy(buffer, "text");
    free(buffer);
    free(same); // DOUBLE-FREE
}
