// The control-flow graph reduced to what matters: the projection of PML_Checker ("A
// Projection-based Approach for Memory Leak Detection"), after which a symbolic evaluator walks a
// dozen nodes instead of a thousand blocks.
//
// Comes in: a function, its shape, and the set of instructions that matter (allocations, frees,
// moves of tracked pointers). project_close adds the branches that govern them; project_build
// contracts the rest. Goes out: a graph of nodes; a node is a block with the instructions of it
// that are kept, an edge says which outcome of the node's terminator it stands for.
//
// Promised (the paper's theorem 1): of two kept nodes one reaches the other in the projection
// exactly when it does so in the function, itself included: a loop with a kept node stays a loop,
// one without vanishes. Time and size are near linear in the function's edges.
//
// Three differences from the paper. Its N* has all branch nodes; ours has those that govern
// something kept (rule 1 asks for branches only so that rule 2 can hang kept nodes below them).
// Its rule 3 gives a branch without memory nodes below it an edge to itself ("closed node");
// taken as an edge that would break theorem 1 where no loop is, so it is a mark here. And where a
// set is not closed, a dropped region with several entries and several ways out becomes one node
// without instructions (a junction), lest the edges multiply; a closed set has none.
#ifndef PROJECT_PROJECT_H
#define PROJECT_PROJECT_H

#include "unit/cfg.h"

typedef struct {
    // Also what kept instructions are computed from: their operands' definitions, and so on.
    // Loads are kept, what they read from memory is the caller's to know.
    bool values;
    // A branch governs all behind it when one side dies (abort, an endless loop without a kept
    // instruction). Without this, branches to such places are dropped, and paths into them end:
    // what an assertion says about a pointer is then lost, which errs towards a false alarm.
    bool deaths;
    // A loop with something kept keeps its header, so that every round comes by there.
    bool headers;
} ProjectHow;
// As the evaluation wants it.
static const ProjectHow PROJECT_TO_WALK = {.values = true, .deaths = true, .headers = true};

// What a symbolic walk needs of a function, whatever it is asked for: calls, what writes memory or
// may touch a released block, scopes, bindings of pointers, returns. The rest are numbers, which
// project_close adds where something of this depends on them. Plain addresses are those inside a
// local or a global, by instruction: they cannot be ones of a released block. A phi's are not
// followed: errs towards needing more.
Bits project_plain(Arena *a, const Unit *u, const Func *f);
bool project_is_plain(const Bits *plain, Ref r);
bool project_needs(const Unit *u, const Func *f, const Bits *plain, uint32_t ins);

// Adds to `keep` (by instruction) every return and resume, and as long as something changes: the
// terminators that a block with a kept instruction depends on (Ferrante, Ottenstein and Warren's
// control dependence), the terminators of the blocks from which a kept phi takes its values (so
// that the node before it tells which one), and with how->values the operands. After that, each
// outcome of a node has at most one edge.
void project_close(const Unit *u, const Func *f, const Cfg *c, const ProjectHow *how, Bits *keep);

enum {
    PROJECT_ENTRY = 1,     // the function's entry; always there, node 0
    PROJECT_EXIT = 2,      // returns or resumes; always there
    PROJECT_BRANCH = 4,    // the terminator is kept and has several outcomes
    PROJECT_CLOSED = 8,    // rule 3: a branch none of whose successors has kept instructions
    PROJECT_JUNCTION = 16, // stands for a dropped region with several ways in and out
};

typedef struct {
    uint32_t block;                  // of a junction: one of the dropped blocks
    uint32_t first_ins, ins_count;   // in Projection.ins, in order of execution
    uint32_t first_edge, edge_count; // in Projection.edges, by outcome
    uint32_t flags;
} ProjectNode;

// Of a dropped terminator: whichever way the function goes. Of a jump: its only way.
#define PROJECT_ANY UINT32_MAX

typedef struct {
    uint32_t to;      // node
    uint32_t outcome; // of a PROJECT_BRANCH: which of block_successors; else PROJECT_ANY
} ProjectEdge;

// An outcome without an edge leads to no kept node and to no exit: it ends in abort, or never.
typedef struct {
    ProjectNode *nodes; // blocks in reverse post order, then junctions
    uint32_t node_count;
    ProjectEdge *edges;
    uint32_t edge_count;
    uint32_t *ins;
    uint32_t ins_count;
    uint32_t *node_of; // block -> node + 1; 0: dropped or unreachable
    uint32_t *leads;   // block -> the node that it is or leads to + 1; 0: no or no single one
} Projection;

// Any set will do; block 0, returns and resumes become nodes whether something in them is kept or
// not. `keep` has one bit for each instruction of the function.
Projection *project_build(Arena *a, const Unit *u, const Func *f, const Cfg *c, const Bits *keep);

// For `stanch show project`: as text, and for Graphviz beside the original graph.
void project_print(Out *o, const Unit *u, const Func *f, const Projection *p);
void project_print_dot(Out *o, const Unit *u, const Func *f, const Projection *p);

#endif
