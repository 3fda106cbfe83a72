// A slot is dropped by chance, two calls below the owner. Which one is not known there, and every
// caller must hear of that.
#include <stdlib.h>

struct box {
    char *items[8];
};

static void item_drop(struct box *b) {
    unsigned i = (unsigned)rand() & 7;
    free(b->items[i]);
    b->items[i] = NULL;
}

static void box_drop(struct box *b) {
    item_drop(b);
}

int one_is_dropped(void) {
    struct box *b = calloc(1, sizeof *b); // OK
    if (b == NULL)
        return -1;
    b->items[0] = malloc(10); // OK
    b->items[1] = malloc(20); // OK
    box_drop(b);
    free(b->items[0]);
    free(b->items[1]);
    free(b);
    return 0;
}

int box_is_forgotten(void) {
    struct box *b = calloc(1, sizeof *b); // LEAK box
    if (b == NULL)
        return -1;
    b->items[0] = malloc(10);
    box_drop(b);
    return 0; // LOST box
}
