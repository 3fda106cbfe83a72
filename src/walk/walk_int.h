// Shared by the files of this module only: the meaning of instructions, blocks and loops.
#ifndef WALK_WALK_INT_H
#define WALK_WALK_INT_H

#include "explain/explain.h"
#include "heap/heap.h"
#include "unit/types.h"
#include "walk/limits.h"
#include "walk/walk.h"

// step.c
typedef enum { STEP_ON, STEP_DEAD } Step;
// Whether an object's address is compared with an error number by size; *truth is the answer.
bool is_below_errors(Work *w, Op op, Term a, Term b, bool *truth);
Term operand(Work *w, State *s, Ref r);
// One instruction that is neither a call nor a terminator.
Step step(Work *w, State *s, uint32_t block, uint32_t ins);
// Whether using the address is possible; reports a use after free.
bool touch(Work *w, State *s, Term address, uint32_t ins);
// Whether so many bytes can lie there; a path that goes beyond a block's end is none.
bool fits_in(Work *w, const State *s, Term address, uint32_t bytes);
// Code that we do not see reads or writes there, unless it is null.
void touch_if_any(Work *w, State *s, Term address, uint32_t ins);
// Something that is stored there was released or kept, which is not known: nothing is claimed of
// any of it, here or, when it came from a caller, there.
void loosen(Work *w, State *s, Term home, uint32_t ins);
// Releases the object at x.
bool release(Work *w, State *s, Term x, FamilyId family, bool deep, uint32_t ins, const char *by);

// The blocks that live in the arena die with it.
void release_arena(Work *w, State *s, Term arena, uint32_t ins);
// References to the object that a spec counts.
int64_t references(Work *w, const State *s, Term base);
void set_references(Work *w, State *s, Term base, int64_t count, uint32_t ins);

// The end of a variable's or a local object's scope.
static inline bool ends_scope(const Ins *i)
{
    return i->op == OP_LIFE_END || (i->op == OP_BIND && ref_is_none((Ref){i->a}));
}
// The path comes to the instruction.
static inline void pass_by(const Work *w, State *s, const Ins *i)
{
    if (!w->unit->locs.at[i->loc].line || ends_scope(i) || i->op == OP_PHI) return;
    s->last_loc = i->loc;
    state_goes_on(s);
}
// call.c: all states after the call are appended to `out`; the last argument gets those that leave
// by an exception.
void call(Work *w, const State *s, uint32_t block, uint32_t ins, States *out, States *thrown);

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

// lost.c
// What the state's `lost` names is checked: cut off means leaked here.
void lost_check(Work *w, State *s, uint32_t block, uint32_t ins);
void lost_at_exit(Work *w, State *s, Term result, uint32_t ins);
void misuse(Work *w, State *s, Rule rule, Term base, uint32_t ins, const char *by);

// errors.c
// The newest finding was made of this path.
void error_own(Work *w, const State *s, Finding *f, uint64_t site);
// Another path to the same place, of which no finding is made.
void error_more(Work *w, const State *s, uint64_t site);
// Whether the fact asks something of the caller.
bool errors_asks(const Work *w, PMap touched, Term x, const Range *r);

#endif
