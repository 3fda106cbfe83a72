// A misuse deep in calls that needs many values of the caller's memory to fit together, and those that need few.
#include <stdlib.h>

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
    page_free(u->page);
}

static int key(const struct unit *u)
{
    return u->open + 3 * u->kind + 5 * u->version + 7 * u->locked + 11 * u->users + 13 * u->owner + 17 * u->made +
           19 * u->seen + 23 * u->low + 29 * u->high + 31 * u->width + 37 * u->height;
}

int size_of_page(struct unit *u)
{
    if (key(u) == u->depth) drop(u);
    return u->page->size; // USE-AFTER-FREE LIKELY because ASSUMED_STATE
}

int size_of_open_page(struct unit *u)
{
    if (u->open) drop(u);
    return u->page->size; // USE-AFTER-FREE
}

int page_code(struct page *p, int drop)
{
    if (drop) free(p);
    return p->code; // USE-AFTER-FREE
}
