// Misuse that takes an allocation to fail, callers that are not followed and values in their memory that fit together.
#include <stdlib.h>
#include <string.h>

struct page {
    int code, size;
};
struct unit {
    int open, kind, version, locked, users, owner, made, seen, low, high, width, height, depth;
    struct page *page;
};

static void page_free(struct page *p)
{
    free(p);
}

static void drop(struct unit *u)
{
    char *name = malloc(8);
    if (!name) page_free(u->page); // DOUBLE-FREE AUDIT because OWNERSHIP
    free(name);
}

static int key(const struct unit *u)
{
    return u->open + 3 * u->kind + 5 * u->version + 7 * u->locked + 11 * u->users + 13 * u->owner + 17 * u->made +
           19 * u->seen + 23 * u->low + 29 * u->high + 31 * u->width + 37 * u->height;
}

static int measure(struct unit *u, int depth, int detached)
{
    if (detached && key(u) == u->depth) drop(u);
    if (depth > 0) measure(u, depth - 1, depth == 3); // USE-AFTER-FREE AUDIT because CALLERS_AND_MORE ASSUMED_STATE
    return u->page->size;
}

int outer(struct unit *u)
{
    return measure(u, 6, 0);
}
