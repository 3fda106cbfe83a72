// Symbolic evaluation with parameterized summaries: the stage that decides. This module is its schedule,
// which function when; how one function is evaluated is in walk, call, lost and heap.
//
// Comes in: a linked program, the specs and, where there are any, points, flow hints and
// beliefs. Goes out: raw findings with a path and a condition,
// and a summary for each function. Promised: findings do not depend on the number of threads or on
// time; a function whose budget of steps is spent is given up aloud (RunFacts.given_up).
//
// Procedures are evaluated bottom-up over the strongly connected components of the call graph
// (Sparrow, section 1.1.1), each from an unknown input memory that is explored by access paths
// (section 1.1.2); the heap is the chain of new, put and free with an index for get (symbolic
// pointer analysis, section 3.1); an object that no path from the root reaches is a leak (section
// 4), found where the last path was cut. Exits become guarded cases of the summary, so that "it
// returned 1" stays tied to "it has allocated", which Sparrow's section 3 gives up.
#ifndef EVAL_EVAL_H
#define EVAL_EVAL_H

#include "base/bits.h"
#include "finding/finding.h"
#include "flow/flow.h"
#include "link/belief.h"
#include "link/program.h"
#include "points/points.h"
#include "recall/recall.h"
#include "spec/spec.h"
#include "summary/summary.h"
#include "witness/replay.h"

typedef struct {
    const SpecTable *specs;
    const Points *points;   // targets of calls through pointers; may be null
    const FlowHints *hints; // what need not be evaluated; null: all is
    bool in_full;           // no less effort where nothing is obtained (silent.c)
    const Beliefs *beliefs; // of functions with neither code nor spec; may be null
    uint64_t step_budget;   // for each function; 0: the default
    uint32_t threads;       // at least 1
    Without without;        // doubts and assumptions that are switched off
    // Results of earlier runs and of other programs of this one; null: everything is evaluated.
    // Whatever is remembered, findings and summaries are those of a run without.
    const RecallStore *store;
    // Told after each component of the call graph, one call at a time; may be null.
    void (*progress)(void *context, uint32_t done, uint32_t total);
    void *progress_context;
} EvalOptions;

typedef struct Eval Eval;

Eval *eval_new(const Program *p, const EvalOptions *o);
void eval_free(Eval *e);
// Evaluates everything; findings of units that are fresh in this program go to `into`.
void eval_run(Eval *e, Findings *into);

// After eval_run: what the rest of the program says of findings of other stages, from the `first` on,
// as it is said of its own: how often a process comes there. They name their place by their
// grounds (finding/grounds.h).
void eval_impact(const Eval *e, Findings *found, uint32_t first);

// After eval_run: see registrars_find (impact/impact.h).
void eval_registrars(const Eval *e, Map *few);

// By FuncId, after eval_run: functions whose budget was spent.
Bits eval_given_up(const Eval *e, Arena *a);
// How many functions were not evaluated, because the store had them.
uint32_t eval_recalled(const Eval *e);
// For --stats: what this run did itself.
typedef struct {
    uint32_t functions; // evaluated, not remembered
    uint32_t silent;    // of these: nothing is obtained or released, so that one path was enough
    uint64_t steps;     // instructions, joined values and what calls replaced
    // The projection: what there is, and what of it is looked at.
    uint64_t instructions, kept;
    uint64_t branches, governing;
    uint64_t forks;       // branches that a path went both ways at
    uint64_t passed_over; // branches that a path went by without being asked
    uint64_t assumed[ASSUME_COUNT]; // how often each assumption decided
    uint64_t idle;        // stores and calls left out because of the value flow
} EvalWork;
// What came of replaying the sure findings; valid while the Eval is.
const WitnessCounts *eval_witness(const Eval *e);
// Adds to what is there.
void eval_work(const Eval *e, EvalWork *into);
// Whether some path comes to the block, after eval_run; true where that is not known. Lets other
// stages leave out what the evaluation contradicts.
bool eval_reaches(const Eval *e, FuncId f, uint32_t block);

// What was learnt of all functions, after eval_run.
Callees *eval_callees(Eval *e);

#endif
