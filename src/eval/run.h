// The run over all functions, private to eval.c and run.c.
//
// The components of the call graph have a fixed order (rank). What an evaluation may read of other
// functions is decided by rank alone: those of a lower rank are summarised, those of a higher one
// are not there yet, whatever the threads have done meanwhile. So the bytes are the same for any
// number of threads.
#ifndef EVAL_RUN_H
#define EVAL_RUN_H

#include "eval/eval.h"
#include "eval/limits.h"
#include "impact/impact.h"
#include "recall/recall.h"
#include "walk/walk.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    uint32_t rank, tries;
    int64_t due; // milliseconds
} PutOff;

// What all threads share.
typedef struct {
    const Program *program;
    EvalOptions options;
    Arena *arena;
    const Summary **summaries; // by FuncId; null: not yet, or no code
    Facts facts;
    Findings **found;   // by FuncId: raw findings
    EvalWork *work;     // by FuncId
    uint32_t *rank;     // by SccId, from 1
    uint32_t *at_rank;  // SccId by rank
    _Atomic bool *done; // by rank: summaries and findings of the component are there, or it was left alone
    bool *left_alone;   // by rank, once it is done: quiet, and evaluated only when it is asked for
    bool *holds;        // by rank, once it is done: it calls a container's member, itself or by what it calls
    _Atomic bool *taken_up; // by rank, of such ones: somebody evaluates it
    _Atomic bool *made;     // and it is evaluated
    Bits variables;         // by GlobalId: the models say what is called through it

    // The schedule. A component is ready when the callees that are known beforehand are done; a
    // target that only the evaluation finds (a constant pointer from a table) is waited for.
    pthread_mutex_t lock;
    pthread_cond_t changed;  // something is ready or done
    uint32_t *waits;         // by rank: components that it still waits for
    uint32_t *first_waiting; // by rank, in `waiting`; one more at the end
    uint32_t *waiting;       // ranks of those that wait for it
    U32s ready;              // ranks, a heap with the lowest on top
    uint32_t left;           // components that are not done
    // Left to other machines: when each is tried again, and until when others are waited for.
    VEC(PutOff) put_off;
    Map put_off_until; // rank -> milliseconds
    Map tries;         // rank -> how often it was put off
    VEC(Arena *) arenas;     // of the threads
    Recall *recall;          // null: none is kept
    pthread_mutex_t opening; // held while closed summaries are opened; recursive
    WitnessCounts witness; // of the replays
    struct Frequency *frequency; // after the run
} Shared;

// One thread's view, at one component. `Eval` outside of this module is the view on the whole,
// after the run.
struct Eval {
    Callees callees; // first: what an evaluation asks is answered by the view (eval.c)
    Shared *shared;
    uint32_t rank; // of the component at hand; UINT32_MAX: after all
    Arena *arena;  // for its summaries; of one thread, as long as the run's results
    bool alone; // one function of a recursion is evaluated: what it asks of the others counts as well
    bool again; // the component was recalled, and its summaries cannot be had: only they are made
};

// eval.c
Eval eval_view(Shared *s, Arena *arena, uint32_t rank);
// The function's summary, opened where it was recalled.
const Summary *eval_summary(Eval *e, FuncId f);
// Recalls or evaluates the functions of the component at hand.
// False: another machine is at it (`patient`), and it is to be tried again.
bool eval_component(Eval *e, uint32_t scc, bool patient);

// silent.c: nothing is obtained or released by the functions of the component themselves, nor
// handed out or released by those that they call.
bool silent_component(Callees *c, uint32_t scc);
// Nor can an error of a callee become a finding there: nobody needs it but functions that are not like that. The
// components before it are done.
bool quiet_component(const Shared *s, uint32_t rank);
bool component_holds(const Shared *s, uint32_t rank);

// callers.c
typedef struct Callers Callers;
Callers *callers_new(Eval *e, Frequency *o);
void callers_free(Callers *c);
// Doubts the findings of a function that no caller leads to, and tells which calls lead to others.
void callers_settle(Callers *c, FuncId f, Findings *found);

// run.c
void run_order(Shared *s); // ranks
void run_all(Shared *s);
// Returns when the component of that rank is done; helps meanwhile.
void run_wait(Eval *e, uint32_t rank);
// A component that was left alone is evaluated, or waited for where another thread does so.
void run_take_up(Eval *e, uint32_t rank);

// Whether what the error case needs of callers holds as the program starts, or for any ordinary number (ordinary.c).
bool needs_are_ordinary(const Facts *facts, const Summary *sum, const ErrorCase *e);

#endif
