#include "base/bits.h"

#include <string.h>

void bits_clear(Bits *b)
{
    if (b->count) memset(b->words, 0, bits_words(b->count) * sizeof *b->words);
}

uint32_t bits_size(const Bits *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bits_words(b->count); i++)
        n += (uint32_t)__builtin_popcountll(b->words[i]);
    return n;
}

bool bits_union(Bits *into, const Bits *from)
{
    bool grew = false;
    for (uint32_t i = 0; i < bits_words(from->count); i++) {
        uint64_t fresh = from->words[i] & ~into->words[i];
        if (fresh) into->words[i] |= fresh, grew = true;
    }
    return grew;
}

uint32_t bits_next(const Bits *b, uint32_t i)
{
    if (i >= b->count) return b->count;
    uint32_t w = i / 64, words = bits_words(b->count);
    uint64_t left = b->words[w] >> (i % 64);
    if (left) return i + (uint32_t)__builtin_ctzll(left);
    while (++w < words)
        if (b->words[w]) return w * 64 + (uint32_t)__builtin_ctzll(b->words[w]);
    return b->count;
}
