// Aliases: a block lives as long as one name for it.
#include <stdlib.h>

void second_name_frees(void) {
    int *p = malloc(4); // OK
    int *q = p;
    free(q);
}

void both_names_lost(void) {
    int *p = malloc(4); // LEAK named
    int *q = p;
    p = NULL;
    q = NULL; // LOST named
    (void)p;
    (void)q;
}

void through_the_address_of_the_name(void) {
    int *p = malloc(4); // OK
    int **pp = &p;
    free(*pp);
}

void overwritten_through_the_address_of_the_name(void) {
    int *p = malloc(4); // LEAK through
    int **pp = &p;
    *pp = NULL; // LOST through
    free(p);
}

static void set_null(int **pp) {
    *pp = NULL; // LOST callee
}

void overwritten_in_a_callee(void) {
    int *p = malloc(4); // LEAK callee
    set_null(&p);       // LOST callee
    free(p);
}

static void swap(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

void swapped_and_freed(void) {
    int *p = malloc(4); // OK
    int *q = malloc(8); // OK
    swap(&p, &q);
    free(p);
    free(q);
}

void swapped_and_one_forgotten(void) {
    int *p = malloc(4); // LEAK swapped
    int *q = malloc(8); // OK
    swap(&p, &q);
    free(p);
} // LOST swapped

void conditional_name(int c) {
    int *p = malloc(4); // OK
    int *q = malloc(8); // OK
    int *r = c ? p : q;
    int *s = c ? q : p;
    free(r);
    free(s);
}

void equal_pointers_are_one_block(int *given) {
    int *p = malloc(4); // OK
    if (p == given)
        return;
    free(p);
}
