// Section 3: free releases one of two blocks, never both.
#include <stdlib.h>

static void free_one(int *x, int *y, int n) {
    int *p = x;
    if (n)
        p = y;
    free(p);
}

void the_other_one_leaks(int n) {
    int *a = malloc(4); // LEAK a
    int *b = malloc(4); // LEAK b
    free_one(a, b, n);
} // LOST a; LOST b

void the_other_one_is_freed(int n) {
    int *a = malloc(4); // OK
    int *b = malloc(4); // OK
    free_one(a, b, n);
    free_one(a, b, !n);
}

void the_first_is_chosen(void) {
    int *a = malloc(4); // OK
    int *b = malloc(4); // LEAK second
    free_one(a, b, 0);
} // LOST second

void the_same_for_both(int n) {
    int *a = malloc(4); // OK
    free_one(a, a, n);
}
