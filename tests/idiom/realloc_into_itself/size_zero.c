// A realloc of the program's own that frees when the size is zero: what is stored in the block
// afterwards shows that it was not.
#include <stdlib.h>
#include <string.h>

struct entry {
    char *name;
    int kind;
};

struct table {
    struct entry *at;
    int len, room;
};

static void *must_malloc(size_t n)
{
    void *p = malloc(n);
    if (!p && !n) p = malloc(1);
    if (!p) abort();
    return p;
}

static void *must_realloc(void *p, size_t n)
{
    if (!n) {
        free(p);
        return must_malloc(n);
    }
    p = realloc(p, n);
    if (!p) abort();
    return p;
}

static char *must_copy(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(must_malloc(n), s, n); // LEAK refused
}

static void table_add(struct table *t, const char *name, int kind)
{
    if (t->len + 1 > t->room) {
        if ((t->room + 16) * 3 / 2 < t->len + 1)
            t->room = t->len + 1;
        else
            t->room = (t->room + 16) * 3 / 2;
        t->at = must_realloc(t->at, (size_t)t->room * sizeof *t->at);
    }
    t->at[t->len].name = must_copy(name);
    t->at[t->len++].kind = kind;
}

void table_two(struct table *t, const char *a, const char *b)
{
    table_add(t, a, 1);
    table_add(t, b, 2);
}

int table_checked(struct table *t, const char *name, int kind)
{
    char *copy = must_copy(name); // LEAK refused
    if (kind < 0) return -1;      // LOST refused
    if (kind > 9) {
        free(copy);
        return -1;
    }
    table_add(t, copy, kind);
    table_add(t, "end", 0);
    free(copy);
    return 0;
}
