// Numbers in global variables that nobody writes, although other fields of the variable are written
// or its address is taken: the keys and kinds of tables. Decided by the points-to sets of all
// stores.
#ifndef FACTS_WRITTEN_H
#define FACTS_WRITTEN_H

#include "base/bits.h"
#include "base/map.h"
#include "points/points.h"

typedef struct {
    Bits whole;   // by GlobalId: may be written anywhere; also those that were not looked at
    Bits reached; // by GlobalId: a store may reach it by way of a pointer
    Map fields;   // map_pair(GlobalId, offset): the scalar there may be written
} Written;

// `ours`, by GlobalId: no code that is not here writes them by their names. Of all others, and
// without `points`, nothing is known.
void written_find(Written *w, Arena *a, const Program *p, const Points *points, const Bits *ours);
void written_free(Written *w);
// Whether the bytes are a number that keeps its first value.
bool written_never(const Written *w, const Program *p, GlobalId g, int64_t offset, uint32_t bytes);

#endif
