// What happens at a call. For walk.
//
// Requires: a Work and the state before the call (heap/heap.h); the callee's summary through Callees
// (summary/summary.h), its spec, or nothing: unknown code. Gives: the states after the call, one for
// each way through the callee that the state allows, with the result defined, what the callee did done,
// and what is lost by it told (lost/lost.h); the callee's error cases with what this call passes
// (Work.error_calls). Promises: nothing is asked but through Callees and facts; where the callee is not
// known, or is one of too many, what it can reach may have changed and nothing is claimed of it.
//
// One file for each kind of callee: call.c by summary, spec.c and text.c by model, unknown.c by neither,
// elements.c members of C++ containers, throw.c those that leave by an exception; declined.c releases
// that a callee leaves undone, errors.c what callers have to settle.
#ifndef CALL_CALL_H
#define CALL_CALL_H

#include "heap/heap.h"

// All states after the call are appended to `out`, those that leave by an exception to `thrown`.
void call(Work *w, const State *s, uint32_t block, uint32_t ins, States *out, States *thrown);

#endif
