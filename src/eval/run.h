// The run over all functions, private to eval.c and run.c.
//
// The components of the call graph have a fixed order (rank). What an evaluation may read of other
// functions is decided by rank alone: those of a lower rank are summarised, those of a higher one
// are not there yet, whatever the threads have done meanwhile. So the bytes are the same for any
// number of threads.
#ifndef EVAL_RUN_H
#define EVAL_RUN_H

#include "eval/eval_int.h"
#include "facts/switches.h"
#include "summary/summary.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct Recall Recall;
typedef struct Trace Trace;

// What all threads share.
typedef struct {
    const Program *program;
    EvalOptions options;
    Arena *arena;
    const Summary **summaries; // by FuncId; null: not yet, or no code
    const SpecFunc **specs;    // by FuncId
    const SpecFunc **elements; // by FuncId: what a container's member does to its elements
    Bits constant_globals;     // by GlobalId: nothing in the program writes them
    Written written;           // fields of the others that nothing writes either
    Map idle;                  // switches whose default is never taken, see switches.h
    Const *bytes;              // the numbers of one byte, for the text of string literals
    Marks marks;
    Bits comes_back;    // by FuncId: see never_returns.c
    Findings **found;   // by FuncId: raw findings
    EvalWork *work;     // by FuncId
    uint32_t *rank;     // by SccId, from 1
    uint32_t *at_rank;  // SccId by rank
    _Atomic bool *done; // by rank: summaries and findings of the component are there

    // The schedule. A component is ready when the callees that are known beforehand are done; a
    // target that only the evaluation finds (a constant pointer from a table) is waited for.
    pthread_mutex_t lock;
    pthread_cond_t changed;  // something is ready or done
    uint32_t *waits;         // by rank: components that it still waits for
    uint32_t *first_waiting; // by rank, in `waiting`; one more at the end
    uint32_t *waiting;       // ranks of those that wait for it
    U32s ready;              // ranks, a heap with the lowest on top
    uint32_t left;           // components that are not done
    VEC(Arena *) arenas;     // of the threads
    Recall *recall;          // null: none is kept
} Shared;

// One thread's view, at one component. `Eval` outside of this module is the view on the whole,
// after the run.
struct Eval {
    Shared *shared;
    uint32_t rank; // of the component at hand; UINT32_MAX: after all
    Arena *arena;  // for its summaries; of one thread, as long as the run's results
    struct Solver *solver;
    Trace *trace; // what it reads, for the memory; null: not noted
};

// eval.c: whether the function is evaluated at all when it has code.
bool eval_matters(const Shared *s, FuncId f);
// Evaluates the functions of the component at hand.
void eval_component(Eval *e, uint32_t scc);

// run.c
void run_order(Shared *s); // ranks
void run_all(Shared *s);
// Returns when the component of that rank is done; helps meanwhile.
void run_wait(Eval *e, uint32_t rank);

#endif
