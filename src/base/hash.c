#include "base/hash.h"

#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, n, seed);
}

Hash128 hash128_bytes(const void *bytes, size_t n)
{
    XXH128_hash_t h = XXH3_128bits(bytes, n);
    return (Hash128){h.high64, h.low64};
}

void hash128_text(Hash128 h, char text[33])
{
    snprintf(text, 33, "%016llx%016llx", (unsigned long long)h.high, (unsigned long long)h.low);
}
