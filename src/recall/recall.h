// The memory of earlier runs: what the evaluation of a component gave, with all that it had read,
// so that it need not be evaluated again where it would read the same.
//
// A component's entry holds the hash of its code (stable.h), the summaries that it asked for (by
// the hash of their content), the contents of constant globals that it looked at, and the result:
// summaries and raw findings. It is taken when every one of these answers is the same today. So an
// edit costs the functions edited and those callers that see a difference in their summaries, not
// all callers of callers.
//
// Whatever else an evaluation reads must become part of this: of the code's hash, or of what is
// noted in the Trace. A test edits a program and compares with a run without memory.
#ifndef RECALL_RECALL_H
#define RECALL_RECALL_H

#include "base/hash.h"
#include "base/pack.h"
#include "eval/run.h"
#include "recall/stable.h"

typedef struct {
    GlobalId global;
    uint32_t bytes;
    int64_t offset;
    uint64_t answer;
} GlobalRead;

// What the evaluation of one component has asked for.
struct Trace {
    Map funcs;   // FuncId whose summary was asked for
    Map globals; // what was asked of constant globals: a hash -> index in reads
    VEC(GlobalRead) reads;
    Map numbers; // eval_is_sentinel
};

// `bytes` are those of recall_write of an earlier run, or null; they must live as long. `pool`
// holds what the programs before this one had to evaluate, or is null.
Recall *recall_new(Shared *s, const char *bytes, size_t len, Chars *pool);
// Adds what was evaluated to the pool.
void recall_free(Recall *m);
// Puts the component's summaries and findings in place; false when it has to be evaluated.
bool recall_component(Eval *e, uint32_t scc);
// Notes what was evaluated with e->trace.
void recall_note(Eval *e, uint32_t scc);
// All entries of this run.
void recall_write(const Recall *m, Chars *out);
// Functions that were taken from memory.
uint32_t recall_count(const Recall *m);

void trace_func(const Eval *e, FuncId f);
void trace_global(const Eval *e, GlobalId g, int64_t offset, uint32_t bytes, uint64_t answer);
void trace_number(const Eval *e, int64_t number, bool answer);
void trace_free(Trace *t);
// A constant in stable form.
uint64_t recall_const(const Eval *e, uint32_t unit, const Const *c);

// pack.c: a summary both ways. p->context is a PackSummary.
typedef struct {
    const Stable *stable;
    const SpecTable *specs;
} PackSummary;
void pack_summary(Pack *p, Summary *sum);
void pack_reached(Pack *p, Summary *sum);
// A position relative to the function in which it lies.
void pack_place(Pack *p, Pos *pos);

#endif
