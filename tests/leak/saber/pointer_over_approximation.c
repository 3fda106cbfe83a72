// False positive of Saber: two pointers that may point to the same cell for a coarse analysis
// never do so on one path.
#include <stdlib.h>

void each_cell_has_its_own_block(void) {
    int *first, *second;
    int **where[2] = {&first, &second};
    *where[0] = malloc(4); // OK
    *where[1] = malloc(4); // OK
    free(first);
    free(second);
}

void chosen_and_released_by_the_same_choice(int c) {
    int *x = NULL, *y = NULL;
    int **p = c ? &x : &y;
    *p = malloc(4); // OK
    if (c)
        free(x);
    else
        free(y);
}

void released_by_the_opposite_choice(int c) {
    int *x = NULL, *y = NULL;
    int **p = c ? &x : &y;
    *p = malloc(4); // LEAK p
    if (c)
        free(y);
    else
        free(x);
} // LOST p
