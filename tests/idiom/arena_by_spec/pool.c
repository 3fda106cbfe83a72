// Blocks of an arena are never leaks by themselves; the arena is, and its blocks die with it.
// run: --spec pool.own
#include <stddef.h>

struct pool;
struct pool *pool_new(void);
void pool_delete(struct pool *p);
void pool_reset(struct pool *p);
void *pool_alloc(struct pool *p, size_t n);
char *pool_strdup(struct pool *p, const char *s);

int blocks_go_with_the_pool(const char *s) {
    struct pool *p = pool_new(); // OK
    if (p == NULL)
        return -1;
    char *a = pool_strdup(p, s);  // OK
    char *b = pool_alloc(p, 100); // OK
    b[0] = a[0];
    pool_delete(p);
    return 0;
}

int block_forgotten_in_a_given_pool(struct pool *p, const char *s) {
    char *a = pool_strdup(p, s); // OK
    return a[0];
}

int pool_forgotten(const char *s) {
    struct pool *p = pool_new(); // LEAK pool
    if (p == NULL)
        return -1;
    char *a = pool_strdup(p, s); // OK
    return a[0];                 // LOST pool
}

char block_used_after_its_pool(const char *s) {
    struct pool *p = pool_new(); // OK
    if (p == NULL)
        return 0;
    char *a = pool_strdup(p, s); // OK
    pool_delete(p);
    return a[0]; // USE-AFTER-FREE
}

char block_used_after_a_reset(struct pool *p, const char *s) {
    char *a = pool_strdup(p, s); // OK
    pool_reset(p);
    return a[0]; // USE-AFTER-FREE
}
