// What the files of lost share.
#ifndef LOST_LOST_INT_H
#define LOST_LOST_INT_H

#include "lost/lost.h"

// lost.c
// Whether the object is allocated and nobody unseen may have it.
bool claimable(Work *w, const State *s, Term heap);
// Where a scope or the function ends, for people.
Pos end_position(const Work *w, const State *s, uint32_t block, uint32_t ins);
// `in_global`: not lost but held by a global as main returns.
void report_leak(Work *w, State *s, Term heap, Term owner, uint32_t ins, Pos lost, Loss loss, bool in_global);

// misuse.c
// `ins`: where it is misused. `info`: of a block that was made here, or null.
void doubt_misuse(Work *w, const State *s, Rule rule, Term base, uint32_t ins, const ObjInfo *info, Doubts *d);

// held.c
// A path leaves the function with the object, to which something leads still.
void held_note(Work *w, const State *s, Term heap, uint32_t ins, Term result);
// All paths were walked.
void held_settle(Work *w);

#endif
