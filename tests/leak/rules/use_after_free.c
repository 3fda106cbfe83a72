// use-after-free: reading, writing, passing on what was released.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int read_after(void) {
    int *p = malloc(4);
    if (p == NULL)
        return 0;
    *p = 3;
    free(p);
    return *p; // USE-AFTER-FREE
}

void written_after(void) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return;
    free(n);
    n->value = 1; // USE-AFTER-FREE
}

void printed_after(void) {
    char *s = strdup("x");
    if (s == NULL)
        return;
    free(s);
    puts(s); // USE-AFTER-FREE
}

int through_an_alias(void) {
    struct node *n = calloc(1, sizeof *n);
    if (n == NULL)
        return 0;
    int *v = &n->value;
    free(n);
    return *v; // USE-AFTER-FREE
}

static void drop(struct node *n) {
    free(n);
}

int freed_in_a_callee(struct node *n) {
    drop(n);
    return n->value; // USE-AFTER-FREE
}

void walked_while_freeing(struct node *n) {
    for (; n != NULL; n = n->next) // USE-AFTER-FREE
        free(n);
}

void old_pointer_after_realloc(void) {
    char *p = malloc(4);
    if (p == NULL)
        return;
    char *q = realloc(p, 4000);
    if (q == NULL) {
        free(p);
        return;
    }
    p[0] = 1; // USE-AFTER-FREE
    free(q);
}

int when_n_is_negative(int n) {
    int *p = malloc(4);
    if (p == NULL)
        return 0;
    *p = n;
    if (n < 0)
        free(p);
    int r = *p; // USE-AFTER-FREE
    if (n >= 0)
        free(p);
    return r;
}

int comparing_the_address_is_no_use(int *other) {
    int *p = malloc(4); // OK
    free(p);
    return p == other;
}

int read_before(void) {
    int *p = malloc(4); // OK
    if (p == NULL)
        return 0;
    *p = 3;
    int r = *p;
    free(p);
    return r;
}

void next_read_before(struct node *n) {
    while (n != NULL) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}
