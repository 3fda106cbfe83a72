// A buffer that grows until it fits: the paths that grow it once, twice or for ever meet those that leave
// it alone. Whatever they come to together, on the last ones the caller still owns what it put there.
#include <stdlib.h>
#include <string.h>

void fatal(const char *why) __attribute__((noreturn));

typedef struct {
    unsigned char *buf;
    unsigned alloc, offset, end;
} Buffer;

static void *must_alloc(size_t n)
{
    if (n == 0) fatal("no size");
    void *p = malloc(n); // LEAK whole; LEAK small; LEAK twice; LEAK early
    if (p == NULL) fatal("out of memory");
    return p;
}

static void *must_realloc(void *old, size_t n)
{
    void *p;
    if (n == 0) fatal("no size");
    if (old == NULL)
        p = malloc(n);
    else
        p = realloc(old, n);
    if (p == NULL) fatal("out of memory");
    return p;
}

static void buffer_init(Buffer *b)
{
    b->alloc = 4096;
    b->buf = must_alloc(b->alloc);
    b->offset = 0;
    b->end = 0;
}

static void buffer_free(Buffer *b)
{
    memset(b->buf, 0, b->alloc);
    free(b->buf);
}

static void *append_space(Buffer *b, unsigned len)
{
    if (len > 0x100000) fatal("too much");
    if (b->offset == b->end) b->offset = b->end = 0;
restart:
    if (b->end + len < b->alloc) {
        void *p = b->buf + b->end;
        b->end += len;
        return p;
    }
    if (b->offset > b->alloc / 2) {
        memmove(b->buf, b->buf + b->offset, b->end - b->offset);
        b->end -= b->offset;
        b->offset = 0;
        goto restart;
    }
    b->alloc += len + 32768;
    if (b->alloc > 0xa00000) fatal("too large");
    b->buf = must_realloc(b->buf, b->alloc);
    goto restart;
}

static void append(Buffer *b, const void *data, unsigned len)
{
    memcpy(append_space(b, len), data, len);
}

int never_freed(const char *data, unsigned n)
{
    Buffer b;
    buffer_init(&b); // LEAK whole
    append(&b, data, n);
    return 0; // LOST whole
}

int never_grown(void)
{
    Buffer b;
    buffer_init(&b); // LEAK small
    append(&b, "abc", 3);
    return 0; // LOST small
}

int filled_twice(int stop)
{
    Buffer b;
    buffer_init(&b); // LEAK twice
    append(&b, "abc", 3);
    append(&b, "def", 3);
    if (stop) return -1; // LOST twice
    buffer_free(&b);
    return 0;
}

int left_early(const char *data, unsigned n)
{
    Buffer b;
    buffer_init(&b); // LEAK early
    append(&b, data, n);
    if (n > 10) return -1; // LOST early
    append(&b, data, n);
    append(&b, data, 4);
    buffer_free(&b);
    return 0;
}

int always_freed(const char *data, unsigned n)
{
    Buffer b;
    buffer_init(&b);
    append(&b, data, n);
    append(&b, data, n);
    if (n > 10) {
        buffer_free(&b);
        return -1;
    }
    append(&b, data, 4);
    buffer_free(&b);
    return 0;
}
