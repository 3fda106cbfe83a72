// Results as bytes and back, for the cache. One walk over the fields serves both ways, so that
// writing and reading cannot disagree:
//
//     void pack_thing(Pack *p, Thing *t) { pack_u32(p, &t->count); pack_text(p, &t->name); }
//
// Reading past the end, a length that cannot be and an enumerator out of range set `bad`; from
// then on everything reads as zero, and the caller throws the result away.
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct Pack {
    Chars out;            // writing
    const char *at, *end; // reading
    bool reading, bad;
    Arena *arena;  // of what is read
    void *context; // of whoever walks
} Pack;

void pack_bytes(Pack *p, void *bytes, size_t n);
void pack_text(Pack *p, const char **text); // null is kept apart from ""
// An enumerator, or an index below `count`.
uint32_t pack_enum(Pack *p, uint32_t value, uint32_t count);

static inline void pack_u32(Pack *p, uint32_t *n)
{
    pack_bytes(p, n, sizeof *n);
}
static inline void pack_u64(Pack *p, uint64_t *n)
{
    pack_bytes(p, n, sizeof *n);
}
static inline void pack_i64(Pack *p, int64_t *n)
{
    pack_bytes(p, n, sizeof *n);
}
static inline void pack_bool(Pack *p, bool *b)
{
    uint8_t n = *b;
    pack_bytes(p, &n, 1);
    *b = n != 0;
}

// The length of a list whose elements take at least `least` bytes each: a damaged one cannot ask
// for more than the bytes that are left.
uint32_t pack_len(Pack *p, uint32_t len, size_t least);
// Of a vector: reading makes room, zeroed.
#define pack_vec(p, v, least)                                                                      \
    do {                                                                                           \
        uint32_t len_ = pack_len((p), (v)->len, (least));                                          \
        if ((p)->reading) vec_extend((v), len_);                                                   \
    } while (0)

#endif
