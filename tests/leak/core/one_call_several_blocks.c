// What one call brings: two blocks that are lost together are two findings, each with its own place
// inside the call; and what hangs on a lost block is told where that one is lost.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct net {
    int *arcs, *stops;
};

static int fill(struct net *n) {
    n->arcs = malloc(40);  // LEAK arcs
    n->stops = malloc(20); // LEAK stops
    return n->arcs != NULL && n->stops != NULL;
}

int both_fields_forgotten(void) {
    struct net *n = malloc(sizeof *n);
    if (n == NULL)
        return -1;
    int r = fill(n);
    free(n); // LOST arcs; LOST stops
    return r;
}

int both_fields_freed(void) {
    struct net *n = malloc(sizeof *n);
    if (n == NULL)
        return -1;
    int r = fill(n);
    free(n->arcs);
    free(n->stops);
    free(n);
    return r;
}

struct buffer {
    char *name;
};

static struct buffer *buffer_new(const char *name) {
    struct buffer *b = malloc(sizeof *b); // LEAK buffer
    if (b == NULL)
        return NULL;
    b->name = strdup(name); // LEAK name
    return b;
}

static void buffer_free(struct buffer *b) {
    if (b != NULL)
        free(b->name);
    free(b);
}

void skipped_in_some_rounds(int n) {
    for (int i = 0; i < n; i++) {
        struct buffer *b = buffer_new("x");
        if (i == 3)
            continue; // LOST buffer; LOST name
        buffer_free(b);
    }
}
