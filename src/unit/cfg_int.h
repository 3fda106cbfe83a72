// Between cfg.c and loop.c.
#ifndef UNIT_CFG_INT_H
#define UNIT_CFG_INT_H

#include "unit/cfg.h"

// Needs succ, pred and order; fills loops, loop_blocks and loop_of.
void cfg_find_loops(Cfg *c, Arena *a);

#endif
