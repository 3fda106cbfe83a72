// The first free slot of a table inside a struct: the search does not go on into the members behind
// the table.
#include <stdlib.h>

struct slot {
    int kind;
    void *context;
    void (*run)(void *);
};

struct worker {
    char *name;
    struct slot slots[2];
    void *cache, *storage;
};

static void add(struct worker *w, int kind, void *context, void (*run)(void *))
{
    struct slot *s = w->slots;
    while (s->kind != 0) s++;
    s->kind = kind;
    s->context = context;
    s->run = run;
}

void set_up(struct worker *w, void (*run)(void *))
{
    w->cache = malloc(50); // OK
    if (!w->cache) exit(1);
    if (w->storage) add(w, 1, w->storage, run);
    add(w, 0, NULL, NULL);
}

static void set_cache(struct worker *w, void *cache)
{
    w->cache = cache;
}

void set_up_twice(struct worker *w)
{
    w->cache = malloc(50); // LEAK cache
    if (!w->cache) exit(1);
    set_cache(w, NULL); // LOST cache
}
