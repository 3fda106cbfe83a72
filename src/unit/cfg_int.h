// Between cfg.c, loop.c and the validator.
#ifndef UNIT_CFG_INT_H
#define UNIT_CFG_INT_H

#include "unit/cfg.h"

// Needs succ, pred and order; fills loops, loop_blocks and loop_of.
void cfg_find_loops(Cfg *c, Arena *a);

// The part of cfg_build that the validator needs: neighbours, order and dominators.
Cfg *cfg_build_dominators(Arena *a, const Unit *u, const Func *f);

#endif
