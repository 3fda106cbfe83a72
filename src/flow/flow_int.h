// What the files of the module share.
#ifndef FLOW_FLOW_INT_H
#define FLOW_FLOW_INT_H

#include "base/map.h"
#include "flow/flow.h"
#include "flow/limits.h"
#include "unit/cfg.h"

// ---- bdd.c: conditions. 0 is false, 1 is true. Nodes of one slice; when the budget is spent
// every result is false and `full` is set.
typedef uint32_t Bdd;
enum { BDD_FALSE = 0, BDD_TRUE = 1 };
typedef struct {
    uint32_t var;
    Bdd low, high;
} BddNode;
typedef struct {
    VEC(BddNode) nodes;
    Map unique, memo;
    uint64_t steps, allowed; // what was done, and how much of it may be
    bool full;
} Bdds;
void bdd_init(Bdds *b);
void bdd_free(Bdds *b);
void bdd_spend(Bdds *b, uint64_t steps);
Bdd bdd_var(Bdds *b, uint32_t var);
Bdd bdd_and(Bdds *b, Bdd x, Bdd y);
Bdd bdd_or(Bdds *b, Bdd x, Bdd y);
Bdd bdd_not(Bdds *b, Bdd x);

// ---- mssa.c: memory SSA of one function.
typedef enum { VERSION_ENTRY, VERSION_CHI, VERSION_PHI } VersionKind;
typedef struct {
    VersionKind kind;
    uint32_t region, number; // number: as printed, from 1 in each region
    uint32_t block, ins;     // ins: of a chi
    uint32_t old;            // chi: the version before
    uint32_t first_arg;      // phi: in FlowFunc.phi_args, by predecessor of the block
} Version;

// A set of tracked cells, by their numbers; there is one of each content.
typedef struct {
    SBits set;
    uint32_t number; // in Flow.sets; 0: nothing
    uint32_t mark;   // the last walk that took it
} CellSet;
typedef VEC(CellSet *) CellSets;
typedef struct {
    CellSets ref, mod;
} RefMod;

typedef struct {
    const CellSet *cells;
    bool local;  // one cell of this function's own
    bool strong; // a store to it replaces what was there
} Region;
typedef struct {
    uint32_t ins, region, version; // version: read by a mu, made by a chi
} Access;
// What a component of the call graph reads and writes, as it is seen inside and from outside.
typedef struct {
    CellSet *ref, *mod, *ref_out, *mod_out;
} RefModOf;

// Where a value goes.
typedef enum {
    USE_FLOW,   // to another value or version of the function: node
    USE_ARG,    // handed to callee `other` as argument `index` at `ins`
    USE_MEMORY, // version: region is seen by callee `other` at `ins`
    USE_RETURN, // returned
    USE_OUT,    // version at a return
    USE_SINK,   // released
    USE_ESCAPE, // not followed further
} UseKind;
typedef struct {
    UseKind kind;
    bool weak;
    uint32_t node;  // USE_FLOW
    uint32_t block; // where it happens; for a phi the predecessor
    uint32_t into;  // phi: its block + 1
    uint32_t ins, other, index;
    uint32_t next; // use + 1 of the same node
} Use;

typedef struct {
    FuncId id;
    const Unit *u;
    const Func *f;
    uint32_t unit;
    Cfg *cfg;
    VEC(Region) regions;
    VEC(Version) versions;
    U32s phi_args;
    VEC(Access) mus, chis; // by instruction
    VEC(Access) outs;      // versions at returns: ins of the return
    // Nodes of the function: parameters, instructions, versions.
    uint32_t node_count;
    uint32_t *first_use; // by node: use + 1
    VEC(Use) uses;
    uint32_t *block_of; // instruction -> block
    bool orderly; // control goes along the edges of the graph only, or jumps at the end of a block
    Bits jumps;   // blocks that control leaves by a jump out of the function; no words: none
    uint64_t slice_steps[2]; // spent on the slices of its sources: to decide, to explain
} FlowFunc;

typedef struct {
    FuncId caller;
    uint32_t ins;
} Caller;

// What callers are asked about: a value that has left its function.
typedef struct {
    FuncId func;
    bool asks; // they are asked at all
    bool returned, in_memory;
    bool covered, any_sink, escapes; // in the function itself
} Leaving;

// A slice that was made: what it came to and what it went through, callers' slices aside.
typedef struct {
    FlowResult result;
    uint32_t nodes;
    U32s funcs, ups; // ups: the callers' slices, in Flow.known
    Leaving leaving;
    uint32_t query; // the last count that has seen it
} KnownSlice;

struct Flow {
    const Program *program;
    const Points *points;
    const SpecTable *specs;
    Arena *arena;
    Bits tracked;        // cells that are followed
    U32s cells;          // they by their numbers, which keep sets of them short
    uint32_t *number_of; // cell -> its number
    U32s held;           // numbers by object
    uint32_t *held_from; // object -> where its numbers begin there; those of the next end them
    RefModOf *refmod;    // by component, of tracked cells
    uint32_t *component; // by FuncId, from 1
    U32s *own;           // by FuncId: numbers of tracked cells of its own locals
    CellSets sets;       // by number
    Map set_of_content, set_of_points, set_of_parts, meets;
    RefMod parts;     // of the instruction that is looked at
    FlowFunc **funcs; // by FuncId, made when first entered
    VEC(FlowSource) sources;
    VEC(FlowResult) results;
    Bits solved;
    VEC(Caller) callers;
    ProgRange *callers_of; // by FuncId
    U32s callees;          // with code, as the calls of each function name them
    ProgRange *callees_of; // by FuncId
    Bits jumps;            // by FuncId: may leave by a jump over its callers (longjmp, throw)
    VEC(KnownSlice) known;      // slices made so far
    Map known_of;          // source, and depth or none -> known
    uint32_t query;
    U32s meeting; // regions of callees that meet a set, in lists
    Map meeting_of;
    FlowCounts counts;
    Map dull; // node of a parameter or entry version: leads to nothing (1), or does (2)
};

// ---- sets.c
void sets_init(Flow *f);
void sets_free(Flow *f);
CellSet *set_of(Flow *f, SBits *take); // the one of this content
// Tracked cells of a set of the points-to solution, or of all objects that it has cells of.
CellSet *set_tracked(Flow *f, const SBits *points, bool objects);
CellSet *set_union(Flow *f, CellSets *parts);                    // sorts parts
SBits set_merge(Flow *f, CellSet *const *parts, uint32_t count); // at least one
bool set_meet(Flow *f, const CellSet *a, const CellSet *b);

FlowFunc *flow_func(Flow *f, FuncId id);
void flow_modref(Flow *f);
// What the instruction itself or the functions it calls may read and write, of tracked cells.
void flow_access(Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins, CellSet **ref,
                 CellSet **mod);
void flow_mssa(Flow *f, FlowFunc *g);
void flow_graph(Flow *f, FlowFunc *g);

static inline uint32_t node_of_ins(const FlowFunc *g, uint32_t ins)
{
    return g->f->param_count + ins;
}
static inline uint32_t node_of_version(const FlowFunc *g, uint32_t v)
{
    return g->f->param_count + g->f->ins_count + v;
}
static inline bool node_is_version(const FlowFunc *g, uint32_t n)
{
    return n >= g->f->param_count + g->f->ins_count;
}
static inline uint32_t version_of_node(const FlowFunc *g, uint32_t n)
{
    return n - g->f->param_count - g->f->ins_count;
}
uint32_t flow_block_of(const FlowFunc *g, uint32_t node);
bool flow_block_jumps(const FlowFunc *g, uint32_t block); // its end is a jump out of the function

// ---- slice.c
typedef struct {
    uint32_t parent; // context + 1; 0: where the source is
    FlowFunc *g;
    uint32_t site;
    uint32_t depth;
    uint32_t *reach_of; // by node: reach + 1
} Context;
typedef struct {
    uint32_t context, node;
    Bdd guard;
    bool weak;   // reached through memory that may be several objects, on every way
    bool useful; // reaches a sink
} ReachedNode;
typedef struct {
    uint32_t reach; // from here
    const Use *use;
    uint32_t to; // reach + 1; 0: it ends (sink, escape, out of the slice)
} SliceEdge;
typedef struct {
    uint32_t context, block;
    const FlowFunc *g;
    Ref cond;
    bool is_case;
    int64_t value;
} CondVar;
typedef struct {
    Flow *f;
    FlowSource source;
    Arena *arena;
    Bdds bdds;
    VEC(Context) contexts;
    Map context_of, reach_of, guards_of, edges_of, var_of;
    VEC(ReachedNode) reached;
    VEC(SliceEdge) edges;
    VEC(CondVar) vars;
    U32s open;
    FlowResult result;
    U32s funcs, ups; // entered; the callers' slices in Flow.known
    Bdd sinks, sure_sinks, exits, ends;
    bool escapes, crosses, any_sink, left;
    Leaving leaving;
} Slice;
// For a picture: guards are worked out where the verdict does not need them too.
void slice_run(Slice *s, Flow *f, FlowSource source);
void slice_free(Slice *s);
// In Flow.known, made when it is new.
uint32_t flow_of_source(Flow *f, FlowSource source, uint32_t depth);
// Adds up functions and nodes of a slice and of those of its callers, each once.
void flow_count(Flow *f, const U32s *funcs, uint32_t nodes, const U32s *ups, FlowResult *into);

// ---- guard.c
// Condition under which control goes from one block to another, inside one pass through loops.
Bdd guard_between(Slice *s, uint32_t context, uint32_t from, uint32_t to);
Bdd guard_edge(Slice *s, uint32_t context, uint32_t block, uint32_t to);
void guard_print(Out *o, Slice *s, Bdd x);
bool slice_has_value(const Slice *s, uint32_t context, uint32_t node);

#endif
