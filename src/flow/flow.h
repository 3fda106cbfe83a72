// Sparse value flow: where an allocated object goes, along definitions and uses only (Saber, Sui,
// Ye and Xue, ISSTA 2012, phases 2 to 4).
//
// Comes in: a program and its points-to sets. Goes out: for each allocation a verdict. Promised:
// memory SSA and edges are made only for functions that a slice enters; the same program gives the
// same verdicts. `freed` with `sure` holds on every path that the control-flow graph has, for one
// iteration where loops are involved: a source in a loop whose value lives on into the next
// iteration is never `freed`. Values that are stored in globals or in memory which unknown code
// sees are not followed: they escape.
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include "base/bits.h"
#include "finding/finding.h"
#include "points/points.h"

typedef struct Flow Flow;

typedef enum {
    FLOW_FREED,   // the guards of the flows to releases cover every path
    FLOW_PARTLY,  // some paths are left over, or the analysis gave up
    FLOW_NEVER,   // no release is reached at all
    FLOW_ESCAPES, // not covered, and handed to where it is not followed
    FLOW_VERDICTS
} FlowVerdict;

// Where a value goes that is not followed further; bits.
typedef enum {
    FLOW_TO_GLOBAL = 1,   // stored in a global variable
    FLOW_TO_UNSEEN = 2,   // stored in memory that unknown code may see
    FLOW_TO_UNKNOWN = 4,  // handed to code that we do not see
    FLOW_TO_KEEPER = 8,   // handed to a function that keeps it, by its specification
    FLOW_TO_CALLERS = 16, // left to callers that we do not see
    FLOW_TO_OTHERS = 32,  // variable arguments, copied structs, exceptions
} FlowEscape;

typedef struct {
    FuncId func;
    uint32_t ins;
    int16_t which; // SPEC_RETURN or the parameter that hands it out
} FlowSource;

typedef struct {
    FlowVerdict verdict;
    bool sure;                 // no step on the way was through memory that may be several objects
    bool gave_up;              // a bound was met
    uint32_t escapes;          // FlowEscape
    uint32_t functions, nodes; // visited by the forward slice
    uint32_t kept;             // nodes of the backward slice
} FlowResult;

Flow *flow_new(const Program *p, const Points *points, const SpecTable *specs);
void flow_free(Flow *f);

// In order of functions and instructions; calls of wrappers count, allocations inside them do not.
uint32_t flow_source_count(const Flow *f);
FlowSource flow_source(const Flow *f, uint32_t i);
FlowResult flow_result(Flow *f, uint32_t i);
const char *flow_verdict_text(FlowVerdict v);

// What was done so far, whatever the machine.
typedef struct {
    uint32_t functions;       // memory SSA and edges were made for
    uint32_t sources, slices; // asked for, and slices made for them
    uint64_t sets;            // of sets of cells: blocks of 64 that were gone through
    uint64_t accesses;        // mu, chi, versions
    uint64_t nodes, edges;    // of all slices
} FlowCounts;
FlowCounts flow_counts(const Flow *f);

// What the evaluation need not do.
typedef struct {
    const uint8_t *does; // by FuncId: flow_relevance
    Bits matters;        // by FuncId: flow_matters
    Bits *freed;         // by FuncId, over its instructions: calls whose result is surely released;
                         // no words: none
    const Bits *idle;    // by FuncId, over its instructions: flow_idle; no words: none
} FlowHints;
FlowHints flow_hints(Flow *f, Arena *a);

// What a function may do, itself or by what it calls; bits.
enum {
    FLOW_ACQUIRES = 1, // hands out a resource, or counts a reference
    FLOW_RELEASES = 2,
    FLOW_KEEPS = 4,    // stores a pointer in memory that is not its own
    FLOW_WRITES = 8,   // changes memory that is not its own
    FLOW_UNKNOWN = 16, // calls code that we do not see
    FLOW_LEAVES = 32,  // may end the program or jump
    FLOW_ALL = 63,
};
// By FuncId. Without FLOW_ACQUIRES and FLOW_RELEASES nothing is lost or misused inside; without
// any bit a call is no more than the value that it returns. Needs no Flow.
const uint8_t *flow_relevance(Arena *a, const Program *p, const Points *points);
// By FuncId: functions that acquire or release something, themselves or by what they call, or that
// call code which may be believed to do so, and all that they may call. Of the others nobody needs
// to know anything.
Bits flow_matters(Arena *a, const Program *p, const Points *points, const uint8_t *relevance);

// By FuncId, over the instructions of those that matter: nodes that nobody needs. A store or call
// that is idle changes no memory that an instruction of a function that matters may read, touches
// and holds no pointer to the heap and no resource, comes back, and nothing uses its result.
const Bits *flow_idle(Arena *a, const Program *p, const Points *points, const Bits *matters);

// Findings for the `never` and `partly` sources of functions (by FuncId) that the evaluation gave
// up.
void flow_report(Flow *f, const Bits *given_up, Findings *into);

// `stanch show flow F`: mu and chi of each instruction, the versions of regions, the edges.
void flow_print(Out *o, Flow *f, FuncId func, bool dot);
// `stanch show slice FILE:LINE`: of the sources of a function on a line (0: all).
bool flow_print_slices(Out *o, Flow *f, FuncId func, uint32_t line, bool dot);
// `stanch show blocks FILE:LINE`: who is left with what the line obtains, and where it is released.
// Paths below `root` are relative to it.
bool flow_print_fate(Out *o, Flow *f, FuncId func, uint32_t line, const char *root);

#endif
