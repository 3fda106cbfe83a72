// Sparse bit sets: points-to sets, successor sets of a constraint graph.
//
// A set is an ascending array of blocks of 64 bits that are not zero; a set whose members fall in
// one block (four of five points-to sets) lives inside the struct without any allocation. Union,
// difference and comparison are one pass over both arrays. In numbers: a million sets, most of 0
// to 3 members, a few thousand of some hundred to ten thousand. doc/points.md has the figures
// beside those of a compressed-bitmap library.
#ifndef BASE_SBITS_H
#define BASE_SBITS_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    uint64_t word;
    uint32_t index; // of the word: members index * 64 ..
} SBlock;

// A zeroed struct is the empty set.
typedef struct {
    uint32_t len, cap; // cap 0: at most one block, in `one`
    union {
        SBlock one;
        SBlock *many;
    };
} SBits;

static inline const SBlock *sbits_blocks(const SBits *s)
{
    return s->cap ? s->many : &s->one;
}
static inline bool sbits_is_empty(const SBits *s)
{
    return s->len == 0;
}

bool sbits_has(const SBits *s, uint32_t i);
bool sbits_add(SBits *s, uint32_t i); // true when it was not there
void sbits_drop(SBits *s, uint32_t i);
bool sbits_union(SBits *into, const SBits *from); // true when into grew
// The same; the members that were not in `into` before are added to `fresh` too.
bool sbits_union_fresh(SBits *into, const SBits *from, SBits *fresh);
bool sbits_same(const SBits *a, const SBits *b);
bool sbits_meet(const SBits *a, const SBits *b);   // they have a member in common
bool sbits_covers(const SBits *a, const SBits *b); // all of b is in a
uint32_t sbits_size(const SBits *s);
uint64_t sbits_hash(const SBits *s);
void sbits_clear(SBits *s); // empties and frees
SBits sbits_copy(const SBits *s);
// The smallest member that is at least i; UINT32_MAX when there is none.
uint32_t sbits_next(const SBits *s, uint32_t i);

// Ascending. The set must not change meanwhile.
typedef struct {
    const SBlock *block, *end;
    uint64_t word;
} SIter;

static inline SIter sbits_iter(const SBits *s)
{
    const SBlock *b = sbits_blocks(s);
    return (SIter){b, b + s->len, s->len ? b->word : 0};
}
static inline bool sbits_step(SIter *it, uint32_t *i)
{
    while (!it->word) {
        if (it->block == it->end || ++it->block == it->end) return false;
        it->word = it->block->word;
    }
    *i = it->block->index * 64 + (uint32_t)__builtin_ctzll(it->word);
    it->word &= it->word - 1;
    return true;
}

#endif
