// How often a running process can have a finding.
//
// Comes in: the facts of a program, and findings that name their place in it (finding/grounds.h). Goes
// out: doubts about losses, each a row of doubts.def: a process comes there only a few times, or for an
// option; it ends afterwards; nothing calls the function. Misuse is left alone, as once is
// bad enough, but where it needs an allocation to fail as well.
// Promised: the answer depends on the
// program alone, not on the order of questions.
#ifndef IMPACT_IMPACT_H
#define IMPACT_IMPACT_H

#include "facts/facts.h"
#include "finding/finding.h"

typedef struct Frequency Frequency;

Frequency *frequency_new(const Facts *facts);
void frequency_free(Frequency *o);
// Adds the doubts that the rest of the program raises about a finding of any stage. Its grounds name
// the function and, as far as they are known, the instructions that obtain and lose the block;
// without the function nothing is said.
void impact_doubts(Frequency *o, Finding *x);
// Adds, by the name's key, the parameters of functions which plug-ins call with functions of theirs that the
// program calls a few times; and tells a plug-in of them, before it is asked about.
void registrars_find(Frequency *o, Map *few);
void registrars_tell(const Map *few, Program *plugin);
// A call, direct or through a pointer, of a function.
typedef struct {
    FuncId by;
    uint32_t ins;
} CallOf;
typedef VEC(CallOf) CallsOf;
// All calls of the function, appended to `into`; false when it may be called by others too.
bool callers_of(Frequency *o, FuncId f, CallsOf *into);

#endif
