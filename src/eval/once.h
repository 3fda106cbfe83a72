// Comes in: a program under evaluation. Goes out: whether a place in it is met only a few times in
// a process's life, asked for the places of findings. Promised: the answer depends on the program
// alone.
#ifndef EVAL_ONCE_H
#define EVAL_ONCE_H

#include "eval/eval_int.h"

typedef struct Once Once;

Once *once_new(const Eval *e);
void once_free(Once *o);
// `overwritten`: as far as what stands there is overwritten, an option's place is one of those.
bool once_at(Once *o, FuncId f, uint32_t ins, bool overwritten);
// Whether the place is met for one certain option of the command line, and only then.
bool once_by_letter(Once *o, FuncId f, uint32_t ins);
// Whether after every call of the function that comes back with a number in this range the program
// ends, or goes on with what it does once.
bool once_ends_after(Once *o, FuncId f, int64_t low, int64_t high);
// The same from an instruction of the function on, on all ways; and behind a call that gave back
// null.
bool once_ends_from(Once *o, FuncId f, uint32_t ins);
bool once_ends_on_null(Once *o, FuncId f, uint32_t call);
// Whether a process of a linked program can come to the function: from main or what runs before
// it, or since code that we do not see may call it.
bool once_reached(Once *o, FuncId f);
// Whether some call gives the function what the finding's path asks of its parameters; yes where not
// all calls are seen.
bool once_given(Once *o, FuncId f, const Finding *x);
// Whether one of these parameters (by bit) of a static function is the address of a variable in
// every call: a path on which it is null is none.
bool once_never_null(Once *o, FuncId f, uint32_t params);

#endif
