// What the stage that found something knows of it beyond what is reported.
//
// Comes in: instructions, values and choices of the path, noted where the finding is made. Goes out:
// the same, to the stages that judge it: how often a process comes there (impact), whether a concrete
// run does so too (witness), whether a kept result still fits (recall). Nothing after them looks at
// it: merging, ranking and reports know a Finding alone.
#ifndef FINDING_GROUNDS_H
#define FINDING_GROUNDS_H

#include "finding/finding.h"

// What a path needs of one input of its function, for who runs it again: a parameter, the content of
// memory that a parameter, a global or a result leads to, or the result of a call.
typedef enum { INPUT_PARAM, INPUT_GLOBAL, INPUT_RESULT, INPUT_ROOT_COUNT } InputRoot;
enum { INPUT_DEPTH = 4 };

typedef struct {
    InputRoot root;
    uint32_t number;      // PARAM: which; RESULT: the call's instruction
    uint32_t part, round; // RESULT: which of its results, in which round of loops
    bool fresh;           // RESULT: a block that was obtained: whether it is null
    uint32_t depth;       // pointers that are followed; 0: the root itself
    uint32_t bits;
    int64_t offsets[INPUT_DEPTH];
    int64_t value;
    const char *global; // GLOBAL: its symbol
} PathInput;

// A branch or switch that the path took, or a call that fails on it.
typedef struct {
    uint32_t ins;
    bool taken;
    uint32_t to; // the block that it led to, from 1; 0 unsaid
} PathChoice;

// A call on the way to the finding's function, with what the path of the calling function up to there
// needs of its own inputs: a replay may begin there.
typedef struct CallStep {
    uint32_t func, ins; // numbers in the program that was evaluated
    const char *function, *callee;
    Pos pos;
    const PathInput *inputs;
    const PathChoice *choices;
    uint32_t input_count, choice_count;
    bool no_model;
} CallStep;

typedef struct Grounds {
    uint32_t function;         // its number in the program at hand; 0 unknown. Not kept
    uint32_t made_by, lost_by; // instructions of the function, from 1; 0 unknown
    uint32_t failed_call;      // from 1: a call whose null led here, the last; 0 there is none
    bool returns;              // the function is left with a number (null: 0) from the first of
    int64_t returned[2];       // `returned` to the second
    VEC(PathInput) inputs;     // for the replay; no_model: none are known
    VEC(PathChoice) choices;   // in the order in which they were made
    bool no_model;
    VEC(CallStep) chain;       // of calls that lead to the function, outermost first; or empty
} Grounds;

// A caller of what is first in the chain so far, or of the function; `shown`: also as an event.
void finding_called(Finding *f, const CallStep *step, bool shown);

#endif
