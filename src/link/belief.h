// Beliefs: what the program's own call sites say of a function with neither code nor spec.
//
// Comes in: a verdict for each call site and pointer parameter (src/own finds them). Goes out: for
// a caller, how many OTHER callers say what: no function is a witness about itself, and each is
// one witness however often it calls. Ownership and evaluation read the table; nothing that rests
// on it is more than `likely`.
//
//     kept   the caller must release or hand on the pointer after the call: f borrowed it
//     gone   the caller owned the pointer, never releases it and nothing else has it: f took it
//     mixed  released afterwards on some ways only: f may take it when it succeeds
//     used   the caller looks at it again; says little, since what was taken may still be used
#ifndef LINK_BELIEF_H
#define LINK_BELIEF_H

#include "link/program.h"

typedef enum { SITE_KEPT, SITE_GONE, SITE_MIXED, SITE_USED, SITE_VERDICTS } SiteVerdict;

typedef struct {
    uint32_t count[SITE_VERDICTS];
} BeliefCounts;

typedef struct {
    uint64_t param; // callee and parameter
    BeliefCounts counts;
} BeliefParam;

typedef struct {
    VEC(BeliefParam) params;
    Map param_of; // callee and parameter -> index in params
    Map said;     // caller, callee and parameter -> bit for each verdict
    bool any;     // some parameter is believed to be borrowed or taken
} Beliefs;

void beliefs_free(Beliefs *b);
void belief_add(Beliefs *b, FuncId callee, uint32_t param, FuncId caller, SiteVerdict verdict);
// What all callers but this one say; caller 0: all of them.
BeliefCounts belief_counts(const Beliefs *b, FuncId callee, uint32_t param, FuncId caller);

// Those that say otherwise.
static inline uint32_t belief_against(BeliefCounts c)
{
    return c.count[SITE_GONE] + c.count[SITE_MIXED];
}
// Two witnesses at least, and three for each that says otherwise.
static inline bool belief_borrows(BeliefCounts c)
{
    return c.count[SITE_KEPT] >= 2 && c.count[SITE_KEPT] >= 3 * belief_against(c);
}
// Three witnesses at least: a pointer that nobody releases may also be one that all forget.
static inline bool belief_takes(BeliefCounts c)
{
    uint32_t against = c.count[SITE_KEPT] + c.count[SITE_MIXED];
    return c.count[SITE_GONE] >= 3 && c.count[SITE_GONE] >= 3 * against;
}
// What may be claimed of a caller that releases the pointer although the function is believed to
// take it. A `void *` is an element of anything: one container owns what another borrows (Heine and Lam,
// section 1.2), so nothing is claimed of it.
bool belief_takes_for(const Beliefs *b, const Program *p, FuncId callee, uint32_t param,
                      FuncId caller);
static inline uint32_t belief_witnesses(BeliefCounts c)
{
    return c.count[SITE_KEPT] + belief_against(c) + c.count[SITE_USED];
}

// How a finding says what it rests on: the function, those that keep, those that know.
#define BELIEF_SENTENCE                                                                            \
    "this assumes that '%s' does not keep it: %u of %u other callers release it or hand it on "    \
    "afterwards"

// The function, those that do not release, those that know.
#define BELIEF_TAKEN_SENTENCE                                                                      \
    "this assumes that '%s' takes it over: %u of %u other callers own it before and never "        \
    "release it afterwards"

// The allocator, the functions that release what it gives, and by what.
#define BELIEF_ALLOCATES_SENTENCE                                                                  \
    "this assumes that '%s' allocates: %u functions pass what it returns to '%s' at last"

#endif
