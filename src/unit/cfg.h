// Shape of one function's control flow: predecessors, orders, dominators, loops. Computed on
// demand into the caller's arena; the unit itself is not changed.
#ifndef UNIT_CFG_H
#define UNIT_CFG_H

#include "base/bits.h"
#include "unit/unit.h"

typedef struct {
    uint32_t first, count; // in Cfg.edges
} EdgeRange;

typedef struct {
    uint32_t header;      // block
    uint32_t parent;      // enclosing loop, index + 1; 0 none
    uint32_t depth;       // 1 for outermost
    bool irreducible;     // a cycle with another entry than its header
    EdgeRange blocks;     // members in Cfg.loop_blocks
} Loop;

typedef struct {
    uint32_t block_count;
    uint32_t *edges;      // successor and predecessor lists
    EdgeRange *succ, *pred; // by block
    uint32_t *order;      // reverse post order of reachable blocks
    uint32_t order_count;
    uint32_t *position;   // block -> place in order, UINT32_MAX when unreachable
    uint32_t *idom;       // immediate dominator, BLOCK_NONE for entry and unreachable blocks
    uint32_t *ipdom;      // immediate post-dominator, BLOCK_NONE: the virtual exit or none
    Loop *loops;          // outer loops before inner ones
    uint32_t loop_count;
    uint32_t *loop_blocks;
    uint32_t *loop_of;    // block -> innermost loop, index + 1; 0 none
} Cfg;

// Near-linear in the blocks and edges of the function.
Cfg *cfg_build(Arena *a, const Unit *u, const Func *f);
bool cfg_dominates(const Cfg *c, uint32_t a, uint32_t b);
bool cfg_is_back_edge(const Cfg *c, uint32_t from, uint32_t to);
// Graphviz.
void cfg_print_dot(Out *o, const Unit *u, const Func *f);

#endif
