// The summary of a procedure (Sparrow, section 2): what it does to the caller's memory, in guarded
// cases. Terms are the summary's own table and speak of the inputs by access paths; a call site
// replaces them (call/call.c).
//
// The fields of a case are the rows of case.def, those of an object of object.def: the struct, its
// bytes, comparing and joining follow from the row. What only the new field itself knows is written
// by hand: make_case (walk/summarize.c) fills it in, call/call.c applies it, and show/summary.c
// shows it unless it is a list of terms. A new type of element also needs its `pack_T` and `same_T`.
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "base/bits.h"

#include "facts/facts.h"
#include "finding/grounds.h"
#include "logic/cond.h"
#include "summary/limits.h"

// How a callee did something, obtained an object or released one: the calls in between, outermost first.
typedef struct Origin Origin;
struct Origin {
    const Origin *inner;
    Pos pos;
    const char *callee;
    uint32_t depth; // of the chain from here on
    // The branch that the call is control dependent on, in the words of its function; null: none.
    const char *when;
    Pos test;
    bool truth;
    bool fails; // `when` is a sentence: "malloc() fails"
};

// What is known of a HEAP term whatever the path.
typedef struct {
#define TERM(name)      Term name;
#define FAMILY(name)    FamilyId name;
#define TEXT(name)      const char *name;
#define NUMBER(name)    uint32_t name;
#define PLACE(name)     Pos name;
#define ORIGIN(name)    const Origin *name;
#define FAIL(name)      SpecFail name;
#define VALUE(name)     int64_t name;
#define FLAG(name)      bool name;
#define TEMPORARY(name) bool name;
#include "summary/object.def"
#include "summary/rows_end.h"
} ObjInfo;

typedef struct {
    Term term;
    Range range;
} Guard;

// One of several conditions, beside the guards of the case.
typedef struct {
    Guard *guards;
    uint32_t count;
} Clause;

typedef struct {
    Clause *at;
    uint32_t count; // 0: the guards are all that is known
    bool unknown;   // there are more than were kept
} Clauses;

typedef struct {
    Term base; // or ADDR(base, index, 0)
    int64_t offset;
    uint32_t size;
    Term value;
} Effect;

// All that was in `from` when the call began is in `to` afterwards, where no effect says
// otherwise.
typedef struct {
    Term to, from;
} Move;

typedef struct {
    Term base;
    FamilyId family; // of the function that released it; 0: unknown
    const Origin *where; // inside of the callee, or null
} Release;

// An argument, or what a field of it points to, that this case leaves alone and others keep or release; or, of no
// argument, where the text of Case.test was asked.
enum { DECLINED_ITSELF = INT32_MIN };
#define DECLINED_NONE UINT32_MAX
typedef struct {
    uint32_t param; // or DECLINED_NONE
    int32_t part;     // offset of the field; DECLINED_ITSELF
    const Origin *by; // the branch that decided; without a `when` a call further in did, which is `inner`
    bool given;       // it asks only what the caller gave
} Declined;

typedef struct {
#define LIST(type, name, count, least, kind, join, word)                                           \
    type *name;                                                                                    \
    uint32_t count;
#define WAYS(name, join)   Clauses name;
#define TERM(name, join)   Term name;
#define FLAG(name, join)   bool name;
#define NUMBER(name, join) uint32_t name;
#define TEXT(name, join)   const char *name;
#define DOUBTS(name)       Doubts name;
#include "summary/case.def"
#include "summary/rows_end.h"
} Case;

// What a function does to the arguments after `...`: some may be kept or released, and what they
// point to may be changed.
enum { REST_KEPT = 1, REST_CHANGED = 2 };

// A loss or misuse that needs something of the caller.
typedef struct {
#define LIST(type, name, count, least, kind, join, word)                                           \
    type *name;                                                                                    \
    uint32_t count;
#define FUNC(name, join)   FuncId name;
#define NUMBER(name, join) uint32_t name;
#define FLAG(name, join)   bool name;
#include "summary/error.def"
#include "summary/rows_end.h"
} ErrorCase;

// What became of an error case of a callee at one call, over all paths that come there.
typedef enum {
    FATE_REFUTED,    // the call does not pass or set what it needs
    FATE_UNFOLLOWED, // there are more error cases than a summary has room for
    FATE_OPEN,       // handed on: it is the error case `own` of this function
    FATE_MANIFEST,   // it happens, whatever the callers of this function do
    FATE_COUNT
} ErrorFate;

typedef struct {
    uint32_t ins;
    FuncId callee;
    uint32_t error; // of the callee
    ErrorFate fate;
    uint32_t own;
    bool null; // as in error.def, after this call
    // Of one path of this function to the call, for the replay: see Grounds.
    PathInput *inputs;
    PathChoice *choices;
    uint32_t input_count, choice_count;
    bool no_model;
} ErrorCall;

// What is asked of an error case when all functions are done, without its guards: so a summary that an earlier run has
// left need not be unpacked for that.
typedef struct {
    uint32_t number; // as in error.def
    bool here;       // of the function itself, with no call in between
    bool null;       // as in error.def
    bool of_null;    // some guard asks for a null argument
} ErrorMark;

typedef struct Summary {
    FuncId func;
    uint32_t param_count;
    bool known;      // false: given up; treat as unknown code
    bool stuck;      // not known because no path came to a return: perhaps none does
    bool incomplete; // behaviours are missing: what is handed in may have been kept or freed
    bool recursive;  // may come back to itself
    bool deeper;     // recursion deeper than was followed, here or in a callee, is in no case
    bool trivial;    // does nothing to memory, whatever it returns
    bool noisy;      // hands out or releases something, or has an error case: its callers are looked at
    uint32_t rest;   // REST_*
    // By parameter, also of a function that was given up: the pointer is certainly neither kept nor
    // released nor given back; nothing that hangs on it is; and no pointer there is replaced either.
    uint32_t borrows, spares, leaves;
    Bits reached;    // blocks that some path came to; of no use when behaviours are missing
    Terms terms;
    Case *cases;
    uint32_t case_count;
    // For callers that would join them at once: those with the same objects and releases are one. None: no two are.
    Case *few;
    uint32_t few_count;
    ErrorCase *errors;
    uint32_t error_count;
    ErrorMark *error_marks; // of each error case
    ErrorCall *error_calls; // callers do not look at these
    uint32_t error_call_count;
} Summary;

// What an evaluation may know of other functions. The schedule answers: which functions come first
// is a matter of a fixed order, so that the answers do not depend on threads.
typedef struct Callees Callees;
struct Callees {
    const Facts *facts;
    Trace *trace; // what it reads, for recall; null: not noted
    // The function's summary; null when it has none or comes later. May wait for it.
    const Summary *(*summary)(Callees *c, FuncId f);
    // Whether the function's component comes before this one or is this one.
    bool (*has_started)(Callees *c, FuncId f);
    // Returns when the function's component is done, if it comes before this one.
    void (*wait)(Callees *c, FuncId f);
};
static inline const Summary *callee_summary(Callees *c, FuncId f)
{
    return c->summary(c, f);
}
static inline void callee_wait(Callees *c, FuncId f)
{
    c->wait(c, f);
}
static inline bool callee_has_started(Callees *c, FuncId f)
{
    return c->has_started(c, f);
}

static inline void summary_free(Summary *s)
{
    if (s) terms_free(&s->terms);
}
// Whether the contents are equal, term by term of equal tables.
bool summary_same(const Summary *a, const Summary *b);
bool declined_same(const Declined *a, const Declined *b);
bool case_same(const Case *a, const Case *b);
// Whether it says that a parameter is null, and which.
bool guard_is_null(const Terms *t, const Guard *g, Term *param);
// Whether it does anything to memory that the caller can see.
bool case_does_anything(const Case *c);
// cases.c: the cases of a function of so many instructions become as few as callers can afford.
void cases_merge(Summary *sum, Arena *arena, uint32_t ins_count);

// ways.c: the conditions of two cases before they are joined, and what is kept of them in the one.
bool ways_any(const Case *c);
// Whether the case has this very guard.
bool ways_has_guard(const Case *c, const Guard *g);
Clauses ways_before(const Case *a, const Case *b, Arena *arena);
void ways_after(Case *joined, Clauses all, Arena *arena);

#endif
