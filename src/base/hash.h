// 64-bit and 128-bit hashes of bytes (xxHash): keys of tables, caches and fingerprints. The
// values are stable over machines and versions, so they may be stored.
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t high, low;
} Hash128;

uint64_t hash_bytes(const void *bytes, size_t n, uint64_t seed);
// Different pairs of small numbers give different values, which a ^ b would not.
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a * 0x9e3779b97f4a7c15u ^ (b + 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
    h *= 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 29;
}
Hash128 hash128_bytes(const void *bytes, size_t n);
static inline bool hash128_same(Hash128 a, Hash128 b)
{
    return a.high == b.high && a.low == b.low;
}
// Negative, zero or positive, as comparisons for sorting are.
static inline int hash128_order(Hash128 a, Hash128 b)
{
    if (a.high != b.high) return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}
// 32 hexadecimal digits and a zero.
void hash128_text(Hash128 h, char text[33]);

#endif
