// A handle whose fields are released by a function that it names itself, before it is freed. Others may set
// another function there, so which one it is, is not known.
#include <stdlib.h>

struct handle {
    void (*clean_up)(struct handle *);
    unsigned *types, *precisions;
};

static void clean_up_all(struct handle *h)
{
    free(h->types);
    free(h->precisions);
}

void handle_on_close(struct handle *h, void (*clean_up)(struct handle *))
{
    h->clean_up = clean_up;
}

void handle_close(struct handle *h)
{
    h->clean_up(h);
    free(h);
}

// The same without asking anybody.
static void handle_drop(struct handle *h)
{
    free(h);
}

static struct handle *handle_new(void)
{
    struct handle *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->clean_up = clean_up_all;
    return h;
}

static int find_types(struct handle *h)
{
    h->types = malloc(4 * sizeof *h->types); // OK
    return h->types ? 0 : -1;
}

static int find_no_types(struct handle *h)
{
    h->types = malloc(4 * sizeof *h->types);
    return h->types ? 0 : -1;
}

struct handle *handle_open(void)
{
    struct handle *h = handle_new(); // OK
    if (!h) return NULL;
    if (find_types(h) == -1) {
        handle_close(h);
        return NULL;
    }
    h->precisions = malloc(2 * sizeof *h->precisions); // OK
    if (!h->precisions) {
        handle_close(h);
        return NULL;
    }
    return h;
}

struct handle *handle_open_badly(void)
{
    struct handle *h = handle_new(); // OK
    if (!h) return NULL;
    if (find_no_types(h) == -1) { // LEAK types
        handle_drop(h);
        return NULL;
    }
    h->precisions = malloc(2 * sizeof *h->precisions); // OK
    if (!h->precisions) {
        handle_drop(h); // LOST types
        return NULL;
    }
    return h;
}
