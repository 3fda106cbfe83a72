// A second, independent judge: runs units concretely.
//
// Comes in: a linked program and the specs. Goes out: what happened: output, exit status, the first
// misuse of memory, and what was still allocated and unreachable at the end. Bytes, addresses, no
// joins, no summaries; no code is shared with the symbolic heap, so that a slip there is seen here.
//
// Memory is a set of blocks at addresses of our own, with gaps between them; a freed block keeps its
// address for the rest of the run, so that every later use is seen. Integers wrap as C's do, floats
// are the machine's. Functions without code do what their specification says; those that the
// models name in a `computes` statement (string and memory functions, formats, sorting, jumps,
// exceptions) are computed.
//
// Promised: the same run for the same input; no input makes the interpreter itself misbehave; what
// it cannot execute ends the run with a named reason (stops.def) and is never guessed. Steps and
// bytes are bounded. Nothing outside the run is touched: no file, no time, no environment.
#ifndef WITNESS_WITNESS_H
#define WITNESS_WITNESS_H

#include "link/program.h"
#include "spec/spec.h"

typedef enum {
#define STOP(name, text) STOP_##name,
#include "witness/stops.def"
#undef STOP
    STOP_COUNT
} WitnessStop;

typedef enum {
    WITNESS_RETURNED, // the outermost function returned
    WITNESS_EXITED,   // the program ended itself: status
    WITNESS_ABORTED,  // abort, an exception that nobody catches, a trap: status is the signal
    WITNESS_MISUSED,  // of memory: misuse
    WITNESS_STOPPED,  // stop, detail
} WitnessEnd;

typedef enum {
    MISUSE_NONE,
    MISUSE_USE_AFTER_FREE,
    MISUSE_DOUBLE_FREE,
    MISUSE_INVALID_FREE,    // not the start of a block, or not allocated
    MISUSE_MISMATCHED_FREE, // released by the wrong function
    MISUSE_OUT_OF_BOUNDS,   // of any block
    MISUSE_DEAD_LOCAL,      // a local whose scope has ended
    MISUSE_NULL,            // the first page
    MISUSE_READ_ONLY,       // a write to a constant
} WitnessMisuse;

const char *witness_stop_text(WitnessStop s);
const char *witness_misuse_text(WitnessMisuse m);

typedef struct {
    FuncId func; // 0: none
    uint32_t ins;
} WitnessPlace;

typedef struct {
    WitnessPlace at; // the call that obtained it
    uint64_t size;
    uint32_t number; // which allocation of the run, from 1
    FamilyId family;
} WitnessLeak;

typedef struct {
    uint64_t steps; // instructions; 0: a default
    uint64_t bytes; // in all blocks; 0: a default
    const char *const *args; // of main, the program's name first
    uint32_t arg_count;
} WitnessOptions;

typedef struct {
    WitnessEnd end;
    int status;
    WitnessStop stop;
    const char *detail; // of a stop; may be empty
    WitnessMisuse misuse;
    WitnessPlace place; // of the misuse, or where the run stopped
    uint64_t misused;   // size of the block that was misused; 0: none
    const char *output; // what went to standard output
    size_t output_len;
    WitnessLeak *leaks; // unreachable at the end, in the order of allocation
    uint32_t leak_count;
    uint64_t steps;
    uint32_t allocations;
} WitnessRun;

// Constructors, main and exit handlers. Everything that is handed out lives in `a`.
WitnessRun witness_run_main(Arena *a, const Program *p, const SpecTable *specs,
                            const WitnessOptions *o);
// For people and for tests: output, status, misuse, leaks by source line.
void witness_print_run(Out *o, const Program *p, const WitnessRun *r);

#endif
