// Loops whose number of rounds matters.
#include <stdlib.h>

struct node {
    struct node *next;
    char *data;
};

// The last of three blocks of a list: a way out in the middle of the loop does not hide its rounds.
void third_of_three_lost(void) {
    struct node *list = NULL, *n;
    for (int i = 0; i < 3; i++) {
        n = calloc(1, sizeof *n); // LEAK third
        if (n == NULL)
            break;
        n->next = list;
        list = n;
    }
    if (list != NULL && list->next != NULL)
        free(list->next); // LOST third
    free(list); // LOST third
} // LOST third

void all_of_three_freed(void) {
    struct node *list = NULL, *n;
    for (int i = 0; i < 3; i++) {
        n = calloc(1, sizeof *n); // OK
        if (n == NULL)
            break;
        n->next = list;
        list = n;
    }
    while (list != NULL) {
        n = list->next;
        free(list);
        list = n;
    }
}

void third_of_many_lost(int count) {
    struct node *list = NULL, *n;
    for (int i = 0; i < count; i++) {
        n = calloc(1, sizeof *n); // LEAK many
        if (n == NULL)
            break;
        n->next = list;
        list = n;
    }
    n = list != NULL ? list->next : NULL;
    free(list);
    free(n); // LOST many
} // LOST many

// The loop leaves p set, so that the second test is never true behind it; and without a round n is
// not positive.
char *never_both(int n, int a) {
    char *p = NULL, *s = NULL;
    for (int i = 0; i < n; i++) {
        free(p);
        p = malloc(8); // OK
        if (p == NULL)
            return NULL;
    }
    if (p == NULL) {
        if (n <= 0)
            return NULL;
        s = malloc(8 + a); // OK
        s = NULL;
    }
    free(s);
    return p;
}

// Known to be null: nothing is freed, however often.
void null_freed_twice(char *p, struct node *list, int n) {
    for (int i = 0; i < n; i++)
        list = list->next;
    if (list == NULL) {
        free(list);
        free(list);
    }
    if (p == NULL) {
        free(p);
        free(p);
    }
}
