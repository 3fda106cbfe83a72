// Persistent map from a 64-bit key to a 64-bit value: an update gives a new map and leaves the old
// one as it was, so that a state can be forked by copying one word.
//
// A trie over the keys, sixteen ways at a node, whose subtrees of up to twelve entries are sorted
// arrays: the same content always has the same shape and the same fingerprint, whatever the order
// of the updates. States of the evaluation have some 10 to 500 entries: three nodes from the root
// to an entry, which is what an update copies. Nodes live in the caller's arena and are never freed
// one by one.
#ifndef BASE_PMAP_H
#define BASE_PMAP_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct PNode PNode;
typedef const PNode *PMap; // null is the empty map

// True and the value when the key is there.
bool pmap_get(PMap m, uint64_t key, uint64_t *value);
PMap pmap_set(Arena *a, PMap m, uint64_t key, uint64_t value);
PMap pmap_drop(Arena *a, PMap m, uint64_t key);
uint32_t pmap_size(PMap m);
// Equal maps have equal fingerprints; different ones differ but for 1 in 2^64.
uint64_t pmap_print(PMap m);
static inline bool pmap_same(PMap a, PMap b)
{
    return a == b || (pmap_size(a) == pmap_size(b) && pmap_print(a) == pmap_print(b));
}

// Visits entries with low <= key <= high in ascending order of keys; stops when `visit` returns
// false.
typedef bool (*PVisit)(void *context, uint64_t key, uint64_t value);
bool pmap_range(PMap m, uint64_t low, uint64_t high, PVisit visit, void *context);
bool pmap_each(PMap m, PVisit visit, void *context); // all of them
// Visits the keys whose values differ or which are in one map only (then `has` says where: 1 in a,
// 2 in b, 3 in both). Shared subtrees cost nothing.
typedef bool (*PDiffVisit)(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has);
bool pmap_diff(PMap a, PMap b, PDiffVisit visit, void *context);

#endif
