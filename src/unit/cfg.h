// Shape of one function's control flow: predecessors, orders, dominators, loops. Computed on
// demand into the caller's arena; the unit itself is not changed.
//
// Blocks that no path can leave (endless loops) get an edge to the virtual exit from the last
// block of each such cycle, so that post-dominators exist for them too: what governs what inside
// an endless loop is then as if it could be left at its end.
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
    EdgeRange blocks;     // members in Cfg.loop_blocks, those of inner loops too, the header first
} Loop;

// What a phi takes where control comes from a block.
typedef struct {
    uint32_t ins, from, nth; // nth: its place among the phi's pairs
    Ref value;
} PhiWay;

typedef struct {
    uint32_t block_count;
    uint32_t *edges;      // successor and predecessor lists, each neighbour once
    EdgeRange *succ, *pred; // by block
    uint32_t *order;      // reverse post order of reachable blocks
    uint32_t order_count;
    uint32_t *position;   // block -> place in order, UINT32_MAX when unreachable
    uint32_t *idom;       // immediate dominator, BLOCK_NONE for entry and unreachable blocks
    uint32_t *ipdom;      // immediate post-dominator, BLOCK_NONE: the virtual exit or none
    uint32_t *dom_first, *dom_last; // by block: numbers in the dominator tree, see cfg_dominates
    Loop *loops;          // outer loops before inner ones
    uint32_t loop_count;
    uint32_t *loop_blocks;
    uint32_t *loop_of;    // block -> innermost loop, index + 1; 0 none
    PhiWay *phi_ways;     // of phis with many pairs, sorted
    uint32_t phi_way_count;
} Cfg;

// Near-linear in the blocks and edges of the function.
Cfg *cfg_build(Arena *a, const Unit *u, const Func *f);
// The same in two steps, for those who ask for dominators and loops of few functions: first edges, order and
// phis, then the rest, which is done once.
Cfg *cfg_build_edges(Arena *a, const Unit *u, const Func *f);
void cfg_complete(Cfg *c, Arena *a);
// Every path from the entry to b goes through a. Constant time. An unreachable block is
// dominated by itself only.
bool cfg_dominates(const Cfg *c, uint32_t a, uint32_t b);
// Which blocks have an edge to the virtual exit: those without successors, and the last block of every
// cycle that is never left. With `live` only those blocks are there. Adds to `exits`.
void cfg_exits(const Cfg *c, const Bits *live, Bits *exits);
// Whether the loop (index + 1) has the block, in itself or in a loop inside.
bool cfg_loop_has(const Cfg *c, uint32_t loop, uint32_t block);
// The edge closes a cycle: it leads to the header of a loop that contains its start. Every cycle
// has such an edge, in irreducible loops too.
bool cfg_is_back_edge(const Cfg *c, uint32_t from, uint32_t to);
// What the phi takes where control comes from a block; none when it has no pair for it. A phi may
// have as many pairs as there are blocks, and is asked for each of them.
Ref cfg_phi_value(const Cfg *c, const Unit *u, const Func *f, uint32_t ins, uint32_t from);

// Immediate dominators of any graph, in O(edges log nodes): list[first[v]] up to
// list[first[v + 1]] are a node's neighbours. idom is UINT32_MAX for the root and what it does
// not reach.
typedef struct {
    const uint32_t *first, *list;
} Neighbours;
void cfg_idoms(uint32_t n, uint32_t root, Neighbours succ, Neighbours pred, uint32_t *idom);

// Graphviz.
void cfg_print_dot(Out *o, const Unit *u, const Func *f);

#endif
