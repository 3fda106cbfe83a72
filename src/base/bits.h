// Dense bit sets of fixed size, for blocks and registers of one function.
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    uint64_t *words;
    uint32_t count; // bits
} Bits;

static inline uint32_t bits_words(uint32_t count)
{
    return (count + 63) / 64;
}

static inline Bits bits_new(Arena *a, uint32_t count)
{
    return (Bits){arena_array_of(a, uint64_t, bits_words(count)), count};
}

static inline bool bits_has(const Bits *b, uint32_t i)
{
    return b->words[i / 64] >> (i % 64) & 1;
}

// True when the bit was not set before.
static inline bool bits_add(Bits *b, uint32_t i)
{
    uint64_t mask = (uint64_t)1 << (i % 64), old = b->words[i / 64];
    b->words[i / 64] = old | mask;
    return !(old & mask);
}

static inline void bits_drop(Bits *b, uint32_t i)
{
    b->words[i / 64] &= ~((uint64_t)1 << (i % 64));
}

void bits_clear(Bits *b);
uint32_t bits_size(const Bits *b);
bool bits_union(Bits *into, const Bits *from); // true when into grew
// The first set bit at or after i, or b->count.
uint32_t bits_next(const Bits *b, uint32_t i);

#define bits_each(i, b)                                                                            \
    for (uint32_t i = bits_next((b), 0); i < (b)->count; i = bits_next((b), i + 1))

#endif
