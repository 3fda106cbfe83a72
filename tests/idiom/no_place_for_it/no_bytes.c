// A list of no elements: the block for them has no bytes.
#include <stdlib.h>

struct pair {
    int *value;
    int size;
};

struct pair *exported(const int *from, unsigned short count) {
    struct pair *to = calloc(count, sizeof *to);
    if (to == NULL)
        return NULL;
    int *copy = calloc(count, sizeof *copy); // OK likely: lost when there is nothing to hold
    if (copy == NULL) {
        free(to);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        copy[i] = from[i];
        to[i].value = &copy[i];
        to[i].size = 1;
    }
    return to;
}

struct pair *forgets_the_copy(unsigned short count) {
    struct pair *to = calloc(count, sizeof *to);
    if (to == NULL)
        return NULL;
    int *copy = calloc(count + 1u, sizeof *copy); // LEAK copy
    if (copy != NULL && count > 1)
        to[0].size = copy[1];
    return to; // LOST copy
}
