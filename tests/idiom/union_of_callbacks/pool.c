// A union of two kinds of release functions, told apart by a flag (obstacks): the plain one is not
// the one that is called with the extra argument.
#include <stdlib.h>

struct chunk {
    struct chunk *prev;
};

struct pool {
    struct chunk *last;
    union {
        void (*plain)(void *);
        void (*extra)(void *, void *);
    } release;
    void *argument;
    unsigned use_extra : 1;
};

static void chunk_free(struct pool *p, void *chunk) {
    if (p->use_extra)
        p->release.extra(p->argument, chunk);
    else
        p->release.plain(chunk);
}

static void pool_init(struct pool *p) {
    p->last = NULL;
    p->release.plain = free;
    p->use_extra = 0;
}

static int pool_grow(struct pool *p) {
    struct chunk *c = malloc(sizeof *c); // OK
    if (c == NULL)
        return -1;
    c->prev = p->last;
    p->last = c;
    return 0;
}

static void pool_clear(struct pool *p) {
    struct chunk *c = p->last;
    while (c != NULL) {
        struct chunk *prev = c->prev;
        chunk_free(p, c);
        c = prev;
    }
    p->last = NULL;
}

static int freed_twice(void) {
    struct pool p;
    pool_init(&p);
    if (pool_grow(&p) < 0)
        return -1;
    chunk_free(&p, p.last);
    chunk_free(&p, p.last); // DOUBLE-FREE
    return 0;
}

static int cleared(void) {
    struct pool p;
    pool_init(&p);
    if (pool_grow(&p) < 0)
        return -1;
    pool_clear(&p);
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    return argc > 1 ? cleared() : freed_twice();
}
