// Switches over a global variable that is only ever given numbers which have a case of their own:
// their default is never taken.
#ifndef FACTS_SWITCHES_H
#define FACTS_SWITCHES_H

#include "facts/written.h"

// `ours` as in written_find. Into `idle`: map_pair(FuncId, instruction) of such switches.
void switches_find(Map *idle, const Program *p, const Written *written, const Bits *ours);

#endif
