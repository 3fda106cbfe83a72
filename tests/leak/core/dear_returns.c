// A function with more paths than are followed one by one: what only one of its returns loses is
// told all the same.
#include <stdlib.h>

#define ONE(k) \
    if (a & (1 << (k))) { \
        p = malloc(8); \
        if (p == NULL) \
            return NULL; \
        *p = b & (1 << (k)) ? 1 : 2; \
        free(p); \
    } else if (b & (1 << (k))) { \
        count += b; \
    }
#define FOUR(k) ONE(k) ONE((k) + 1) ONE((k) + 2) ONE((k) + 3)
#define MANY FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24)

int *forgotten_on_the_way_out(int a, int b) {
    int *p = NULL, *q = NULL, count = 0;
    for (int i = 0; i < b; i++) {
        MANY
        p = malloc(count); // LEAK early
        q = malloc(8);
        if (q == NULL)
            return NULL; // LOST early
        free(p);
        free(q);
    }
    return NULL;
}

int *released_on_the_way_out(int a, int b) {
    int *p = NULL, *q = NULL, count = 0;
    for (int i = 0; i < b; i++) {
        MANY
        p = malloc(count);
        q = malloc(8);
        if (q == NULL) {
            free(p);
            return NULL;
        }
        free(p);
        free(q);
    }
    return NULL;
}
