// run: --level=likely
// A function that leaves a number behind a pointer when it is given one. Where its paths are joined
// (a loop), the store is told of all of them; a caller that gives null takes none of those that
// store, and goes on.
#include <stdlib.h>

struct element {
    struct element *next;
    const char *key;
    unsigned hash;
};

struct table {
    struct element **chains;
    unsigned size;
};

int same(const char *a, const char *b);

static unsigned hash_of(const char *z)
{
    unsigned h = 0;
    while (*z) h = h * 31 + (unsigned char)*z++;
    return h;
}

static struct element *find(const struct table *t, const char *key, unsigned *hash)
{
    unsigned h = hash_of(key);
    struct element *e = t->chains ? t->chains[h % t->size] : NULL;
    if (hash) *hash = h;
    for (; e; e = e->next)
        if (e->hash == h && same(e->key, key)) return e;
    return NULL;
}

int is_there(const struct table *t, const char *key)
{
    char *copy = malloc(16); // LEAK copy
    if (!copy) return 0;
    return find(t, key, NULL) != NULL;
}

int is_there_with_hash(const struct table *t, const char *key, unsigned *hash)
{
    char *copy = malloc(16); // OK
    if (!copy) return 0;
    int there = find(t, key, hash) != NULL;
    free(copy);
    return there;
}
