#include "base/siphash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void rounds(uint64_t v[4], int count)
{
    while (count--) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

static uint64_t word(const unsigned char *at)
{
    uint64_t w = 0;
    for (int i = 7; i >= 0; i--) w = w << 8 | at[i];
    return w;
}

static void take(uint64_t v[4], uint64_t w)
{
    v[3] ^= w;
    rounds(v, 2);
    v[0] ^= w;
}

// The key's `high` is its first eight bytes, and so is the result's.
Hash128 siphash(Hash128 key, const void *bytes, size_t n)
{
    uint64_t v[4] = {key.high ^ 0x736f6d6570736575u, key.low ^ 0x646f72616e646f6du ^ 0xee,
                     key.high ^ 0x6c7967656e657261u, key.low ^ 0x7465646279746573u};
    const unsigned char *at = bytes, *end = at + (n & ~(size_t)7);
    for (; at < end; at += 8) take(v, word(at));
    unsigned char rest[8] = {0};
    if (n & 7) memcpy(rest, at, n & 7);
    rest[7] = (unsigned char)n;
    take(v, word(rest));
    v[2] ^= 0xee;
    rounds(v, 4);
    Hash128 h = {.high = v[0] ^ v[1] ^ v[2] ^ v[3]};
    v[1] ^= 0xdd;
    rounds(v, 4);
    h.low = v[0] ^ v[1] ^ v[2] ^ v[3];
    return h;
}
