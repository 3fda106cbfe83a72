// One function, evaluated: all its paths walked over a symbolic heap.
//
// Requires: the function's code, the facts of the program, and summaries of its callees through
// Callees (summary/summary.h). Gives: raw findings, and a summary for its callers. Promises: at
// most `step_budget` steps; a function that spends them is given up aloud (Work.gave_up). The
// result depends on nothing but what is asked of facts and callees.
//
//     work_init(&w, callees, &options, f, findings);
//     State entry = {0};
//     walk(&w, &entry);          paths, losses, exits
//     lost_settle(&w);           lost/lost.h: what was held back until all paths were known
//     Summary *s = summarize(&w, arena);
//     work_free(&w);
//
// One file for each question:
//     prepare.c    before the first step
//     focus.c      which instructions are walked at all
//     step.c       single instructions
//     loop.c       loops: the first rounds are walked one by one, then a round is made that stands for all
//                  further ones. A new shape of loop (a counter, a recurrence, a list or an array that is
//                  built, walked or freed) goes here. What happens to an element at an unknown index is in
//                  lost/release.c and heap/state.c
//     growth.c     fields that a failing realloc overwrites
//     summarize.c  exits become cases
// Calls are a module of their own (call/call.h), and so is what is used, released or lost (lost/lost.h).
#ifndef WALK_WALK_H
#define WALK_WALK_H

#include "heap/heap.h"

typedef struct {
    struct Solver *solver;
    uint64_t step_budget; // 0: the default, by the size of the function
    bool mute;            // findings are not wanted (first rounds of recursion)
    bool recursive;       // may come back to itself
    bool silent;          // nothing is obtained or released in it, as far as is known
} WorkOptions;

void work_init(Work *w, Callees *callees, const WorkOptions *o, FuncId f, Findings *into);
void walk(Work *w, State *entry);
Summary *summarize(Work *w, Arena *a);
void work_free(Work *w);

#endif
