// A pool whose memory is mapped or allocated; a flag in it says by which function it goes.
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

struct pool {
    void *memory;
    size_t size;
    bool mapped;
};

static struct pool *pool_new(size_t size)
{
    struct pool *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->memory = size < 65536 ? MAP_FAILED
                             : mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    p->size = size;
    p->mapped = p->memory != MAP_FAILED;
    if (!p->mapped) {
        p->memory = malloc(size);
        if (!p->memory) {
            free(p);
            return NULL;
        }
    }
    return p;
}

static void pool_free(struct pool *p)
{
    if (!p)
        return;
    if (!p->mapped)
        free(p->memory);
    else
        munmap(p->memory, p->size);
    free(p);
}

static struct pool *pool_of(void *memory, size_t size, bool mapped)
{
    struct pool *p = malloc(sizeof *p);
    if (p) {
        p->memory = memory;
        p->size = size;
        p->mapped = mapped;
    }
    return p;
}

int goes_as_it_came(size_t size, int refused)
{
    struct pool *p = pool_new(size); // OK
    if (!p)
        return -1;
    if (refused) {
        pool_free(p);
        return 0;
    }
    *(char *)p->memory = 1;
    pool_free(p);
    return 1;
}

int wrong_flag(void)
{
    void *memory = malloc(100);
    struct pool *p = memory ? pool_of(memory, 100, true) : NULL;
    if (!p)
        abort();
    pool_free(p); // MISMATCHED-FREE
    return 0;
}

int right_flag(void)
{
    void *memory = malloc(100); // OK
    struct pool *p = memory ? pool_of(memory, 100, false) : NULL;
    if (!p)
        abort();
    pool_free(p);
    return 0;
}
