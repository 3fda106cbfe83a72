// A list of free blocks behind a lock that stands first in its struct: taking the lock leaves the
// fields as they are.
#include <pthread.h>
#include <stdlib.h>

struct block {
    struct block *next;
};

struct cache {
    pthread_mutex_t lock;
    struct block *free_ones;
    int count, limit;
};

static struct cache *cache_new(void)
{
    struct cache *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

void cache_bound(struct cache *c, int limit)
{
    c->limit = limit;
}

static void *cache_get(struct cache *c)
{
    void *p;
    pthread_mutex_lock(&c->lock);
    if (c->free_ones) {
        p = c->free_ones;
        c->free_ones = c->free_ones->next;
    } else {
        p = malloc(64);
        if (p) c->count++;
    }
    pthread_mutex_unlock(&c->lock);
    return p;
}

static void cache_put(struct cache *c, void *p)
{
    pthread_mutex_lock(&c->lock);
    if (c->limit != 0 && c->limit < c->count) {
        free(p);
        c->count--;
    } else {
        struct block *b = p;
        b->next = c->free_ones;
        c->free_ones = b;
    }
    pthread_mutex_unlock(&c->lock);
}

static void cache_drop(struct cache *c)
{
    while (c->free_ones) {
        struct block *b = c->free_ones;
        c->free_ones = b->next;
        free(b);
    }
    pthread_mutex_destroy(&c->lock);
    free(c);
}

int used_again(void)
{
    struct cache *c = cache_new(); // OK
    if (!c) return -1;
    void *first = cache_get(c); // OK
    if (!first) {
        cache_drop(c);
        return -1;
    }
    cache_put(c, first);
    void *second = cache_get(c); // OK
    int same = second == first;
    if (second) cache_put(c, second);
    cache_drop(c);
    return same;
}

int not_put_back(void)
{
    struct cache *c = cache_new();
    if (!c) return -1;
    char *p = cache_get(c); // LEAK p
    if (p) p[0] = 0;
    cache_drop(c);
    return 0; // LOST p
}
