// What the program says as a whole, before any function is evaluated.
//
// Requires: a linked program, specs, and what points, flow and beliefs found (each may be missing).
// Gives: one const struct, the same for all threads: which functions never return, what globals
// hold that nobody writes, which switches never take their default, which numbers stand for
// pointers. Promises: nothing in it depends on the evaluation, so it is computed once and asked
// from everywhere. Facts about names are believed only where all code that can use the name is
// seen.
//
// An evaluation whose result is remembered (recall) passes a Trace along: what it was told about
// globals and numbers is part of what its result depends on.
#ifndef FACTS_FACTS_H
#define FACTS_FACTS_H

#include "base/bits.h"
#include "facts/written.h"
#include "flow/flow.h"
#include "link/belief.h"
#include "link/program.h"
#include "points/points.h"
#include "spec/spec.h"

// What the whole program says about single numbers and globals (marks.c).
typedef struct {
    Bits handed_on; // by GlobalId: some function reads it and does not write it
    Map sentinels;  // numbers that are used as pointers elsewhere than in comparisons
} Marks;

typedef struct {
    const Program *program;
    const SpecTable *specs;
    const Points *points;       // targets of calls through pointers; may be null
    const FlowHints *hints;     // what need not be evaluated; null: all is
    const Beliefs *beliefs;     // of functions with neither code nor spec; may be null
    const SpecFunc **spec_of;   // by FuncId
    const SpecFunc **member_of; // by FuncId: what a container's member does to its elements
    Bits of_library;            // by FuncId: C++ code in a header of the system
    FuncId *maker_of, *ender_of; // by FuncId: by what a container's member makes and ends them
    Bits constant_globals;      // by GlobalId: nothing in the program writes them
    Written written;            // fields of the others that nothing writes either
    Bits one_way;               // by GlobalId: never put back to zero, see one_way.c
    const SpecFunc **believed;  // see believed.h
    Map call_specs;             // calls through pointers -> index in believed
    Map release_params;         // calls that are believed to release -> which parameter
    Map idle;                   // switches whose default is never taken, see switches.h
    Map set_loads;              // loads of fields that are only given addresses, see set_fields.c
    Map end_loads;              // loads of a queue's ends -> QueueEnd, see queue_ends.c
    Map lengths;                // loads of a pointer or its length -> LengthBeside, see lengths.c
    Map odd_throws;             // throws of exceptions that nobody expects, see handlers.c
    Map hash_in;               // FuncId -> a hash of these three kinds in the function
    const Const *bytes;         // the numbers of one byte, for the text of string literals
    Marks marks;
    Bits may_return; // by FuncId: see never_returns.c
} Facts;

// The first five fields of `f` are filled in by the caller; the others are found.
void facts_find(Facts *f, Arena *a);
void facts_free(Facts *f);

typedef enum { GLOBAL_INIT_UNKNOWN, GLOBAL_INIT_ZERO, GLOBAL_INIT_CONST } GlobalInit;

typedef struct {
    GlobalId global;
    uint32_t bytes; // 0: it was asked whether the global is one-way; it is where init is not unknown
    int64_t offset;
    GlobalInit init;
    uint32_t unit; // of the constant, where there is one
    const Const *constant;
} GlobalRead;

// What the evaluation of one component was told.
typedef struct {
    Map funcs;   // FuncId whose summary was asked for
    Map globals; // what was asked of constant globals: a hash -> index in reads
    VEC(GlobalRead) reads;
    Map numbers; // facts_is_sentinel
    Map hashes;  // FuncId -> asked facts_reads_set_field, facts_reads_end, facts_reads_length or facts_throw_is_odd
} Trace;

void trace_free(Trace *t);

// What a global holds at an offset when the program starts, whoever writes it later.
GlobalInit facts_global_start(const Facts *f, GlobalId g, int64_t offset, uint32_t bytes, const Unit **u,
                              uint32_t *unit_index, const Const **c);
// What a global that nothing in the program writes holds at an offset. `trace` may be null.
GlobalInit facts_global_init(const Facts *f, Trace *trace, GlobalId g, int64_t offset,
                             uint32_t bytes, const Unit **u, uint32_t *unit_index, const Const **c);
// Whether a global that is not zero once stays so.
bool facts_is_one_way(const Facts *f, Trace *trace, GlobalId g);
// Whether the program uses the number as a pointer elsewhere than in comparisons.
bool facts_is_sentinel(const Facts *f, Trace *trace, int64_t number);
// Whether some function reads the global without ever writing it.
bool facts_is_handed_on(const Facts *f, GlobalId g);
// Whether no value leads to the default of the switch.
bool facts_default_is_idle(const Facts *f, FuncId func, uint32_t ins);
// Whether the load reads a field that the whole program only gives addresses that are not null.
bool facts_reads_set_field(const Facts *f, Trace *trace, FuncId func, uint32_t ins);
// Whether the load reads one end of a queue. `other`: how far away the other end is; `last`: without
// this end there is no other; `other_last`: without the other there is not this one.
typedef struct {
    int32_t other;
    bool last, other_last;
} QueueEnd;
bool facts_reads_end(const Facts *f, Trace *trace, FuncId func, uint32_t ins, QueueEnd *end);
// Whether the load reads a pointer with its length in the same struct, or the length. `other`: how far away the other one
// is, `bits`: its width.
typedef struct {
    int32_t other;
    uint8_t bits;
} LengthBeside;
bool facts_reads_length(const Facts *f, Trace *trace, FuncId func, uint32_t ins, LengthBeside *beside);
// Whether no handler of the program names the type of what is thrown here, while handlers name others
// of its family.
bool facts_throw_is_odd(const Facts *f, Trace *trace, FuncId func, uint32_t ins);
// A hash of all such loads and throws of the function.
uint64_t facts_hash_in(const Facts *f, FuncId func);
// False for a function with code that never returns and never throws.
bool facts_may_return(const Facts *f, FuncId func);
// No call of it comes back, for the program ends.
bool facts_ends_program(const Facts *f, FuncId func);
// The value flow is sure that what this call gives is released.
bool facts_is_freed(const Facts *f, FuncId func, uint32_t ins);
// Whether the function is evaluated at all when it has code.
bool facts_matters(const Facts *f, FuncId func);

// The symbol of the type information that the constant is the address of; null: it is none.
const char *facts_type_symbol(const Unit *u, Ref r);
// Whether a handler for the type `caught` takes what is `thrown` (null: not known), both by the symbols of
// their type information.
typedef enum { CAUGHT_NOT, CAUGHT_MAYBE, CAUGHT } Caught;
Caught facts_catches(const Facts *f, Trace *trace, const char *thrown, const char *caught);

// What a call of the function does to the elements of a container; null: it is no member of one.
static inline const SpecFunc *facts_member(const Facts *f, FuncId func)
{
    const SpecFunc *s = f->member_of[func.id];
    bool other = s && (s->elements == SPEC_ELEMENTS_CONSTRUCT || s->elements == SPEC_ELEMENTS_DESTROY ||
                       s->elements == SPEC_ELEMENTS_WALKED || s->elements == SPEC_ELEMENTS_RUNS);
    return other ? NULL : s;
}

// Whether the function is the inside of a C++ library; and one of which no model speaks.
static inline bool facts_is_library(const Facts *f, FuncId func)
{
    return bits_has(&f->of_library, func.id);
}

static inline bool facts_is_unread(const Facts *f, FuncId func)
{
    return facts_is_library(f, func) && !f->member_of[func.id];
}

static inline const SpecFunc *facts_spec(const Facts *f, FuncId func)
{
    return f->spec_of[func.id];
}

// Whether the call is believed to release what it is passed there, if a believed allocator gave it.
static inline bool facts_call_releases(const Facts *f, FuncId func, uint32_t ins, uint32_t param)
{
    const uint64_t *at = map_get(&f->release_params, map_pair(func.id, ins));
    return at && *at == param;
}

// Of a call through a pointer that is believed to allocate; null: it is none.
static inline const SpecFunc *facts_call_spec(const Facts *f, FuncId func, uint32_t ins)
{
    const uint64_t *at = map_get(&f->call_specs, map_pair(func.id, ins));
    return at ? f->believed[*at] : NULL;
}

#endif
