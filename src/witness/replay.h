// The replay of findings: did it really happen?
//
// Comes in: a finding with the inputs and choices of its path (finding/grounds.h), and its function. Goes
// out: witnessed, refuted or undecided, from concrete runs alone; the same for the same input.
#ifndef WITNESS_REPLAY_H
#define WITNESS_REPLAY_H

#include "facts/facts.h"
#include "finding/finding.h"
#include "finding/pack.h"
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

// What the replays of a function's findings gave, so that they need not be made again while all that
// they read is the same.
typedef struct WitnessKept {
    bool known; // of an earlier run: they are taken as they are; else they are filled in
    VEC(WitnessReplay) replays; // of all findings, in their order
    Map funcs, globals;         // FuncId and GlobalId: whose code or content was read
} WitnessKept;

void witness_kept_free(WitnessKept *k);
// The replays, as bytes and back; what is read lives in p->arena.
void witness_pack(Pack *p, WitnessKept *k, PackPos pos);

// Of the facts: program, specs, and which globals nobody writes. `brief`: with a few runs only. What is
// read is noted in `kept`, which may be null.
WitnessReplay witness_replay(Arena *a, const Facts *facts, FuncId func, const Finding *f, bool brief,
                             WitnessKept *kept);

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

// Whether a replay could change what is said of the finding.
bool witness_wants(const Finding *f);
// All sure and likely findings of a function: the verdict goes to the finding. `kept` may be null.
void witness_findings(const Facts *facts, FuncId func, Findings *found, WitnessCounts *counts, WitnessKept *kept);
// Those from `first` on that other stages than the evaluation have found, without a path.
void witness_rest(const Facts *facts, Findings *found, uint32_t first, WitnessCounts *counts);
void witness_counts_add(WitnessCounts *all, const WitnessCounts *one);
void witness_print_counts(Out *o, const WitnessCounts *c);

#endif
