// Memory is carved out of a pool, and comes from elsewhere only where there is no pool.
#include <errno.h>
#include <stdlib.h>

enum { SIZE = 1000 };

struct block {
    struct block *next;
    size_t used;
    void *last, *added;
    char data[SIZE];
};

void *pool_get(void *pool, size_t n)
{
    struct block *q = pool;
    void *r;
    if (n == 0)
        return NULL;
    if (q == NULL)
        return malloc(n);
    n = (n + 7) / 8 * 8;
    while (q->used + n > SIZE) {
        if (q->next != NULL) {
            q = q->next;
        } else {
            if (n > SIZE)
                q->next = malloc(sizeof *q + n - SIZE);
            else
                q->next = malloc(sizeof *q);
            if (q->next == NULL)
                return NULL;
            q = q->next;
            q->next = NULL;
            q->used = 0;
            q->added = NULL;
            break;
        }
    }
    r = q->data + q->used;
    q->used += n;
    q->last = r;
    return r;
}

struct config {
    void *pool;
    int error;
};

struct item {
    struct item *next;
    char **words;
};

int the_pool_has_it(struct config *c, int n, struct item **to)
{
    struct item *q = pool_get(c->pool, sizeof *q); // OK
    if (q == NULL) {
        c->error = errno;
        return -1;
    }
    q->next = NULL;
    q->words = pool_get(c->pool, n * sizeof(char *)); // OK
    if (q->words == NULL) {
        c->error = errno;
        return -1;
    }
    while (*to != NULL)
        to = &(*to)->next;
    *to = q;
    return 0;
}

int there_is_no_pool(int n, struct item **to)
{
    struct item *q = pool_get(NULL, sizeof *q); // LEAK item
    if (q == NULL)
        return -1;
    q->next = NULL;
    q->words = pool_get(NULL, n * sizeof(char *)); // OK
    if (q->words == NULL)
        return -1; // LOST item
    *to = q;
    return 0;
}
