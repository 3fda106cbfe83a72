// The replay of findings: did it really happen?
//
// Comes in: a finding with the inputs and choices of its path (finding/grounds.h), and its function. Goes
// out: witnessed, refuted or undecided, from concrete runs alone; the same for the same input.
#ifndef WITNESS_REPLAY_H
#define WITNESS_REPLAY_H

#include "facts/facts.h"
#include "finding/finding.h"
#include "witness/witness.h"

typedef struct {
    Replay verdict;
    WitnessStop stop;   // undecided: why
    const char *detail; // of it; or null
    const char *text;   // witnessed: the inputs, in words
    Witness *witness;   // witnessed: the run
    uint64_t steps;
    uint32_t runs;
} WitnessReplay;

// Of the facts: program, specs, and which globals nobody writes. `brief`: with a few runs only.
WitnessReplay witness_replay(Arena *a, const Facts *facts, FuncId func, const Finding *f, bool brief);

// For --stats.
typedef struct {
    uint32_t verdicts[REPLAY_COUNT];
    uint32_t stops[STOP_COUNT]; // of the undecided
    uint64_t steps;
    double seconds; // of processor time, for all
    // Of likely findings, which are not among the others.
    uint32_t likely[REPLAY_COUNT];
    uint64_t likely_steps;
} WitnessCounts;

// All sure and likely findings of a function: the verdict goes to the finding.
void witness_findings(const Facts *facts, FuncId func, Findings *found, WitnessCounts *counts);
// Those from `first` on that other stages than the evaluation have found, without a path.
void witness_rest(const Facts *facts, Findings *found, uint32_t first, WitnessCounts *counts);
void witness_counts_add(WitnessCounts *all, const WitnessCounts *one);
void witness_print_counts(Out *o, const WitnessCounts *c);

#endif
