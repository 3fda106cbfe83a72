// Shared by the files of this module only: the meaning of instructions, blocks and loops.
#ifndef WALK_WALK_INT_H
#define WALK_WALK_INT_H

#include "call/call.h"
#include "lost/lost.h"
#include "walk/limits.h"
#include "walk/walk.h"

// step.c
typedef enum { STEP_ON, STEP_DEAD } Step;
// One instruction that is neither a call nor a terminator.
Step step(Work *w, State *s, uint32_t block, uint32_t ins);
// The path comes to the instruction.
static inline void pass_by(const Work *w, State *s, const Ins *i)
{
    if (!w->unit->locs.at[i->loc].line || ends_scope(i) || i->op == OP_PHI) return;
    s->last_loc = i->loc;
    state_goes_on(s);
}

// growth.c
// A value is about to be stored: where it is the null of a realloc that failed, what stood there is
// an object from now on, which the store loses.
void growth_overwrites(Work *w, State *s, uint32_t ins, Term address, Term value);

// focus.c
// Fills `kept` and `way_on`: with all there is where nothing may be left out (no hints).
void focus(Work *w, const FlowHints *hints);

// loop.c
// Arrival at a block that is no loop's header: phis take their values, what is dead is dropped.
void enter_block(Work *w, State *s, uint32_t block);
// Arrival at a loop's header. False when the path ends here.
bool enter_loop(Work *w, State *s, uint32_t header, bool back);
// The state goes on from one block to the next.
void go(Work *w, const State *from, uint32_t block, uint32_t to);

#endif
