// Figure 2: freeing the record p1 cuts off two records that refer to each other.
#include <stdlib.h>

struct bin {
    struct bin *left;
    struct bin *right;
};

static struct bin *new_bin(void) {
    struct bin *b = calloc(1, sizeof *b); // LEAK second; LEAK third; LEAK self
    if (b == NULL)
        abort();
    return b;
}

void the_two_records_below_are_lost(void) {
    struct bin *p1, *p2, *p3;
    p1 = new_bin(); // OK
    p2 = new_bin(); // LEAK second
    p3 = new_bin(); // LEAK third
    p1->left = p3;
    p1->right = p2;
    p1->right->left = p3;
    p3->right = p2;
    p2 = NULL;
    p3 = NULL;
    free(p1); // LOST second; LOST third
}

void the_two_records_below_are_freed_first(void) {
    struct bin *p1, *p2, *p3;
    p1 = new_bin(); // OK
    p2 = new_bin(); // OK
    p3 = new_bin(); // OK
    p1->left = p3;
    p1->right = p2;
    p1->right->left = p3;
    p3->right = p2;
    p2 = NULL;
    p3 = NULL;
    free(p1->right->left);
    free(p1->right);
    free(p1);
}

void the_cycle_is_kept_by_a_variable(void) {
    struct bin *p1, *p2, *p3;
    p1 = new_bin(); // OK
    p2 = new_bin(); // OK
    p3 = new_bin(); // OK
    p1->left = p3;
    p1->right = p2;
    p2->left = p3;
    p3->right = p2;
    free(p1);
    free(p2);
    free(p3);
}

void a_cycle_of_one(void) {
    struct bin *p = new_bin(); // LEAK self
    p->left = p;
} // LOST self
