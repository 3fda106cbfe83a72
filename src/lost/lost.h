// What becomes of an object on a path: it is used, released, lost. For call and walk.
//
// Requires: a Work and one state of it (heap/heap.h), and the instruction that is walked. Gives: the
// state afterwards, raw findings in Work.findings (leaks, uses after free, wrong releases), and the
// error cases of the function in Work.open. Promises: a finding for each place and way once; none of an
// object that unknown code may hold; no path is followed further than the given state. The words about
// a loss are made by explain.
#ifndef LOST_LOST_H
#define LOST_LOST_H

#include "explain/explain.h"
#include "heap/heap.h"
#include "unit/types.h"

// use.c
// Whether an object's address is compared with an error number by size; *truth is the answer.
bool is_below_errors(Work *w, Op op, Term a, Term b, bool *truth);
// Whether using the address is possible; reports a use after free.
bool touch(Work *w, State *s, Term address, uint32_t ins);
// Whether so many bytes can lie there; a path that goes beyond a block's end is none.
bool fits_in(Work *w, const State *s, Term address, uint32_t bytes);
// Code that we do not see reads or writes there, unless it is null.
void touch_if_any(Work *w, State *s, Term address, uint32_t ins);

// lent.c
// The call gives an address in what the container holds; `by`: its name.
void lend(Work *w, State *s, Term container, Term address, uint32_t ins, const char *by);
// What the container has lent is gone; where it `grows`, unless room was made before.
void take_back(Work *w, State *s, Term container, bool grows, uint32_t ins, const char *by);
void make_room(Work *w, State *s, Term container);
// The element that an iterator leads to has ended.
void element_removed(Work *w, State *s, Term place, uint32_t ins, const char *by);

// The address of the text of a string that is opaque; 0: it is not followed.
Term text_of(Work *w, State *s, Term string, uint32_t ins, const char *by);
// The string's text moves or ends; all strings in the object do.
void text_gone(Work *w, State *s, Term string, uint32_t ins, const char *by);
void texts_gone(Work *w, State *s, Term base, uint32_t ins, const char *by);

// release.c
// Something that is stored there was released or kept, which is not known: nothing is claimed of
// any of it, here or, when it came from a caller, there.
void loosen(Work *w, State *s, Term home, uint32_t ins);
// Releases the object at x; false: it is none that can be released, and the path ends.
bool release(Work *w, State *s, Term x, FamilyId family, bool deep, uint32_t ins, const char *by);
// The blocks that live in the arena die with it.
void release_arena(Work *w, State *s, Term arena, uint32_t ins);
// References to the object that a spec counts.
int64_t references(Work *w, const State *s, Term base);
void set_references(Work *w, State *s, Term base, int64_t count, uint32_t ins);

// lost.c
// The end of a variable's or a local object's scope.
static inline bool ends_scope(const Ins *i)
{
    return i->op == OP_LIFE_END || (i->op == OP_BIND && ref_is_none((Ref){i->a}));
}
// What the state's `lost` names is checked: cut off means leaked here.
void lost_check(Work *w, State *s, uint32_t block, uint32_t ins);
void lost_at_exit(Work *w, State *s, Term result, uint32_t ins);
// Whether the path leaves the function as one that failed: a call failed on it, or it returns null or less than 0.
bool exit_fails(Work *w, const State *s, Term result);
// All paths were walked: what no path disposes of is lost whatever was guessed.
void lost_settle(Work *w);
void misuse(Work *w, State *s, Rule rule, Term base, uint32_t ins, const char *by);

// errors.c
// The newest finding was made of this path.
void error_own(Work *w, const State *s, Finding *f, uint64_t site);
// Another path to the same place, of which no finding is made.
void error_more(Work *w, const State *s, uint64_t site);
// Whether the fact asks something of the caller.
bool errors_asks(const Work *w, PMap touched, Term x, const Range *r);
// Whether one of them does.
bool error_needs_caller(Work *w, PMap facts, PMap touched);
// Whether the function itself asks if the parameter is null, or keeps it where that is not seen.
bool error_asks_for_null(const Work *w, uint32_t param);

#endif
