// The summary of a procedure (Sparrow, section 2): what it does to the caller's memory, in guarded
// cases. Terms are the summary's own table and speak of the inputs by access paths; a call site
// replaces them (call.c).
#ifndef SUMMARY_SUMMARY_H
#define SUMMARY_SUMMARY_H

#include "eval/eval_int.h"

typedef struct {
    Term base; // or ADDR(base, index, 0)
    int64_t offset;
    uint32_t size;
    Term value;
} Effect;

// All that stood in `from` when the call began stands in `to` afterwards, where no effect says
// otherwise.
typedef struct {
    Term to, from;
} Move;

typedef struct {
    Term base;
    FamilyId family; // of the function that released it; 0: unknown
} Release;

typedef struct {
    Guard *guards;
    uint32_t guard_count;
    Clauses ways;      // of the cases that were joined into this one
    Clauses inherited; // of a callee's case that was joined, in this function's terms
    Effect *effects;
    uint32_t effect_count;
    Release *frees;
    uint32_t free_count;
    Move *moves;
    uint32_t move_count;
    Term *havocs;    // unknown code may have written anything there
    Term *scribbles; // plain data there is unknown now
    Term *loose;     // some element of it was freed or kept: nothing is known of any of them
    Term *escapes, *touches;
    Term *uses; // read or written through, unless null; what is in `touches` is here too
    uint32_t havoc_count, scribble_count, loose_count, escape_count, touch_count, use_count;
    ObjInfo *objects; // allocated inside and visible outside; term is the HEAP term here
    uint32_t object_count;
    Term result;      // none: void
    bool thrown;      // leaves by an exception
    bool joined;      // values of several paths were joined on the way
    bool general;     // values were joined on the way
    bool declined;    // the program as a whole has releases switched off
    uint32_t guesses; // open tests of joined values
    const char *why;  // what on this path was no input of the caller: "fopen() fails", or null
} Case;

struct Summary {
    FuncId func;
    uint32_t param_count;
    bool known;      // false: given up; treat as unknown code
    bool incomplete; // behaviours are missing: what is handed in may have been kept or freed
    bool recursive;  // deeper calls than were followed are in no case
    bool trivial;    // does nothing to memory, whatever it returns
    Bits reached;    // blocks that some path came to; of no use when behaviours are missing
    Terms terms;
    Case *cases;
    uint32_t case_count;
    Case *whole; // all of them in one, for callers that would join them; null: they are too unlike
};

void summary_free(Summary *s);
// cases.c: the cases of a function of so many instructions become as few as callers can afford.
void cases_merge(Summary *sum, Arena *arena, uint32_t ins_count);

// ways.c: the conditions of two cases before they are joined, and what is kept of them in the one.
bool ways_any(const Case *c);
// Whether the case has this very guard.
bool ways_has_guard(const Case *c, const Guard *g);
Clauses ways_before(const Case *a, const Case *b, Arena *arena);
void ways_after(Case *joined, Clauses all, Arena *arena);

#endif
