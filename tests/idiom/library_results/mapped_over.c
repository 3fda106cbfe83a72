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
