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
#include "recall/stable.h"
#include "summary/summary.h"

typedef struct Recall Recall;

// Where results stand, by FuncId; whoever is evaluating or recalling a component writes its own.
typedef struct {
    const Summary **summaries; // null: not yet, or no code
    Findings **found;          // raw findings
    Without without; // of the findings, see finding.h
} Results;

// `bytes` are those of recall_write of an earlier run, or null; they must live as long. `pool`
// holds what the programs before this one had to evaluate, or is null.
Recall *recall_new(const Facts *facts, Results results, const char *bytes, size_t len, Chars *pool);
// Adds what was evaluated to the pool.
void recall_free(Recall *m);
// Puts the component's summaries and findings in place; false when it has to be evaluated.
// Summaries are made in `arena`. `callees` answers as it would for an evaluation.
bool recall_component(Recall *m, Callees *callees, Arena *arena, uint32_t scc);
// Notes what was evaluated with callees->trace.
void recall_note(Recall *m, Callees *callees, uint32_t scc);
// All entries of this run.
void recall_write(const Recall *m, Chars *out);
// Functions that were taken from memory.
uint32_t recall_count(const Recall *m);

// pack_summary.c: a summary both ways. p->context is a PackSummary.
typedef struct {
    const Stable *stable;
    const SpecTable *specs;
    const Program *program;
} PackSummary;
void pack_summary(Pack *p, Summary *sum);
void pack_reached(Pack *p, Summary *sum);
void pack_error_calls(Pack *p, Summary *sum);
// A position relative to the function in which it lies.
void pack_place(Pack *p, Pos *pos);

#endif
