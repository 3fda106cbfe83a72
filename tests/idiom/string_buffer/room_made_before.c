// Room is made first, the place kept, and then what fits is written: nothing moves. The lengths are
// 32 bits wide; their sums do not wrap.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    uint32_t used, size;
};

static void move(struct buffer *b, uint32_t size);

char *prepare(struct buffer *b, size_t n) {
    if (b->size - b->used < n + 1)
        move(b, b->size + (uint32_t)n + 1);
    return b->data + b->used;
}

static void move(struct buffer *b, uint32_t size) {
    char *moved = malloc(size);
    if (moved == NULL)
        abort();
    memcpy(moved, b->data, b->used);
    free(b->data);
    b->data = moved;
    b->size = size;
}

void append(struct buffer *b, const char *s, size_t n) {
    char *to = prepare(b, n);
    memcpy(to, s, n);
    b->used += (uint32_t)n;
}

void written_where_room_is(struct buffer *b, const char *key, uint32_t klen, uint32_t vlen) {
    if (b->size - b->used < (size_t)(klen + vlen + 1) + 1)
        return;
    char *at = b->data + b->used;
    append(b, key, klen);
    at[0] |= 0x20;
}

void written_where_it_may_have_been(struct buffer *b, const char *key, uint32_t klen) {
    char *at = b->data + b->used;
    append(b, key, klen);
    at[0] |= 0x20; // USE-AFTER-FREE
}
