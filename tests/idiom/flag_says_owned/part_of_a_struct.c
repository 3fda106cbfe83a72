// A list that is a block of its own says so in a bit. One that is part of another struct, at its beginning, is
// released by the same function and then the struct.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

enum { ALLOCATED = 1 };

struct list {
    void **elements;
    int count, flags;
};

struct headers {
    struct list list;
    size_t size;
};

struct list *list_new(void)
{
    struct list *l = calloc(1, sizeof *l); // OK
    if (l) l->flags |= ALLOCATED;
    return l;
}

void list_start(struct list *l)
{
    memset(l, 0, sizeof *l);
}

void list_end(struct list *l)
{
    free(l->elements);
    l->elements = NULL;
    if (l->flags & ALLOCATED) free(l);
}

void headers_end(struct headers *h)
{
    list_end(&h->list);
    free(h); // OK
}

void list_end_twice(struct list *l)
{
    list_end(l);
    free(l); // DOUBLE-FREE
}

// Freed whatever the bits say.
static void list_free(struct list *l)
{
    free(l->elements);
    free(l);
}

void headers_free(struct headers *h)
{
    list_free(&h->list);
    free(h); // DOUBLE-FREE
}
