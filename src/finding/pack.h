// Findings as bytes and back (base/pack.h).
#ifndef FINDING_PACK_H
#define FINDING_PACK_H

#include "base/pack.h"
#include "finding/grounds.h"

// How positions are written: as they stand, or relative to something that moves with them.
typedef void (*PackPos)(Pack *p, Pos *pos);
void pack_pos(Pack *p, Pos *pos);
void pack_witness(Pack *p, Witness **w, PackPos pos); // null is kept

// What a path needs of its inputs, and its choices.
void pack_input(Pack *p, PathInput *x);
void pack_choice(Pack *p, PathChoice *c);

// All findings and the functions that were given up; reading adds to `fs`. The strings that are
// read live in p->arena, which must be that of `fs` or live longer.
void pack_findings(Pack *p, Findings *fs, PackPos pos);

#endif
