// Comes in: the facts of a program. Goes out: whether a place in it is met only a few times in
// a process's life, asked for the places of findings. Promised: the answer depends on the program
// alone.
#ifndef IMPACT_IMPACT_H
#define IMPACT_IMPACT_H

#include "facts/facts.h"
#include "finding/finding.h"

typedef struct Frequency Frequency;

Frequency *frequency_new(const Facts *facts);
void frequency_free(Frequency *o);
// `overwritten`: as far as what stands there is overwritten, an option's place is one of those.
bool frequency_at(Frequency *o, FuncId f, uint32_t ins, bool overwritten);
// Whether the place is met for one certain option of the command line, and only then.
bool options_letter_leads_to(Frequency *o, FuncId f, uint32_t ins);
// Whether after every call of the function that comes back with a number in this range the program
// ends, or goes on with what it does once.
bool program_ends_after_return(Frequency *o, FuncId f, int64_t low, int64_t high);
// The same from an instruction of the function on, on all ways; and behind a call that gave back
// null.
bool program_ends_after(Frequency *o, FuncId f, uint32_t ins);
bool program_ends_after_null(Frequency *o, FuncId f, uint32_t call);
// Whether a process of a linked program can come to the function: from main or what runs before
// it, or since code that we do not see may call it.
bool frequency_reached(Frequency *o, FuncId f);
// Whether some call gives the function what the finding's path asks of its parameters; yes where not
// all calls are seen.
bool callers_give(Frequency *o, FuncId f, const Finding *x);

#endif
