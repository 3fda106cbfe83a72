// run: --level=likely
// A buffer whose size is changed on one path of a function that obtains nothing: the count of its
// users beside it is what it was.
#include <stdlib.h>
#include <string.h>

struct buffer {
    const unsigned char *bytes;
    size_t off, size;
    unsigned users;
};

static struct buffer *open_buffer(const unsigned char *bytes, size_t size)
{
    struct buffer *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->bytes = bytes;
    b->size = size;
    b->users = 1;
    return b;
}

static void close_buffer(struct buffer *b)
{
    if (!b || --b->users > 0) return;
    free(b);
}

static int skip_text(struct buffer *b, size_t *length)
{
    size_t n = 0;
    if (length) *length = 0;
    while (b->off + n < b->size && b->bytes[b->off + n] != 0) {
        if (b->bytes[b->off + n] == 0xff) return -2;
        n++;
    }
    if (b->off + n == b->size) return -1;
    if (n + 1 == b->size - b->off)
        b->off = b->size = 0;
    else
        b->off += n + 1;
    if (length) *length = n;
    return 0;
}

int texts(const unsigned char *bytes, size_t size)
{
    struct buffer *b = open_buffer(bytes, size); // OK
    int count = 0;
    if (!b) return -1;
    if (skip_text(b, NULL) == 0) count++;
    if (skip_text(b, NULL) == 0) count++;
    close_buffer(b);
    return count;
}
