// A mapping that is laid over another one: both are given back as one.
#include <stddef.h>
#include <sys/mman.h>

struct text {
    void *data;
    size_t size, whole;
    int flags, fd;
};

int file_over_an_empty_page(struct text *t)
{
    void *at = NULL;
    if (t->whole != t->size) {
        at = mmap(NULL, t->whole, PROT_READ, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0); // OK
        if (at == MAP_FAILED)
            return -1;
        t->flags |= MAP_FIXED;
    }
    t->data = mmap(at, t->size, PROT_READ, t->flags, t->fd, 0); // OK
    return t->data == MAP_FAILED ? -1 : 0;
}

int two_apart(struct text *t)
{
    void *at = mmap(NULL, t->whole, PROT_READ, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0); // RESOURCE-LEAK first
    if (at == MAP_FAILED)
        return -1;
    t->data = mmap(NULL, t->size, PROT_READ, t->flags, t->fd, 0); // OK
    return t->data == MAP_FAILED ? -1 : 0; // LOST first
}

// The end of a mapping is made of other pages; it goes with the rest.
void *zeros_at_the_end(int fd, size_t size, size_t page)
{
    char *base = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0); // OK
    if (base == MAP_FAILED)
        return NULL;
    size_t whole = size & ~(page - 1);
    if (whole < size)
        mmap(base + whole, size - whole, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0); // OK
    return base;
}

int end_is_lost(int fd, size_t size)
{
    char *base = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0); // RESOURCE-LEAK whole
    if (base == MAP_FAILED)
        return -1;
    mmap(base + 4096, size - 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0); // OK
    return base[0]; // LOST whole
}
