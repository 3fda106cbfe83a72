// What is stored in a block that was freed before is lost, and the store is a use of it.
#include <stdlib.h>

static void put(int ***at) {
    **at = malloc(10); // LEAK put
}

void into_a_freed_block(void) {
    int **y = malloc(sizeof *y);
    if (y == NULL)
        return;
    free(y);
    put(&y); // USE-AFTER-FREE; LOST put
} // LOST put

void into_a_live_block(void) {
    int **y = malloc(sizeof *y);
    if (y == NULL)
        return;
    put(&y);
    free(*y);
    free(y);
}
