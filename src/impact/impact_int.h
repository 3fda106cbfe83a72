// What the files that count how often a place is met share: shapes of functions, their calls.
#ifndef IMPACT_IMPACT_INT_H
#define IMPACT_IMPACT_INT_H

#include "impact/impact.h"

#include "impact/limits.h"
#include "unit/cfg.h"

// readers.c: who reads what in a function.
typedef struct {
    uint32_t *first, *blocks; // by instruction: the blocks that read its value
    Bits stored;              // by instruction: stored somewhere, so that every load may give it
    Bits load;                // by block
} Readers;

typedef struct Children Children;

typedef struct {
    const Unit *unit;
    const Func *func;
    Cfg *cfg;
    const Readers *readers; // null until they are asked for, see what_follows.c
    Children *children; // see forks.c; null until it is asked for
    Bits back;     // by block: some way from its start returns
    uint8_t *from; // by instruction, see options.c; null until the function is known to run once
} Shape;

// A pointer behind a parameter that a function leaves null where a realloc of what it led to has failed: by
// that call or, `inside`, by the call of a function that does so.
typedef struct NullLeft NullLeft;
struct NullLeft {
    uint32_t ins, param;
    int64_t offset;
    FuncId callee;
    const NullLeft *inside, *next;
};

typedef struct Pointed Pointed;
typedef struct Members Members;
typedef struct Waiting Waiting;
typedef struct Follows Follows;

struct Frequency {
    const Facts *facts;
    Arena *arena;
    uint8_t *known;    // by FuncId
    uint32_t *words;   // by FuncId: parameters that are argc or argv
    uint32_t *letters; // by FuncId: parameters that are an option's letter
    Bits asked;        // by FuncId: for letters
    Shape **shapes;    // by FuncId
    Bits globals;      // by GlobalId: argc or argv was stored there
    bool any_global;
    Pointed *pointed; // null until it is asked for
    Members *members; // null until it is asked for, see fields_called.c
    Waiting *waiting; // null until it is asked for, see start_up.c
    Follows *follows; // null until it is asked for, see what_follows.c
    Bits left_asked;  // by FuncId
    const NullLeft **left; // by FuncId; null until one is asked for
};

Shape *frequency_shape(Frequency *o, FuncId f);
Readers *readers_of(Arena *a, const Shape *s);
// Whether the rest of a block, from an instruction on, may be left at its end; `returns` when the
// function is left there: by a return or, where the block is not left at its end, by a jump.
bool frequency_rest_open(const Frequency *o, FuncId f, const Shape *s, const Block *b,
                         uint32_t from, bool *returns);
// Whether the function itself is left to moments that a process meets a few times.
bool frequency_runs(Frequency *o, FuncId f);
// Which calls count as callers beside those that come to the function themselves: of library functions that begin
// a thread with it, and of such as call it while they run, maybe many times.
typedef enum { CALLERS_ALONE = 0, CALLERS_START = 1, CALLERS_DURING = 2 } CallerKinds;
// All calls of the function but those by unseen code that calls it at most once (`once`: there are
// such): at the end of the process, say. False when others may call it at any time.
bool callers_but_once(Frequency *o, FuncId f, CallerKinds kinds, CallsOf *into, bool *once);
// The nth call through a pointer that may reach the function; false when there is none.
bool call_through(Frequency *o, FuncId f, uint32_t n, CallOf *c);
// fields_called.c: the call, through a pointer, may reach the function, as far as the name of a member tells.
bool member_may_hold(Frequency *o, FuncId by, uint32_t call, FuncId callee);
void members_free(Members *m);
// start_up.c: the program waits in a loop, and the place is outside of it: before it or after it.
bool starts_up_at(Frequency *o, FuncId f, uint32_t ins);
// tables.c: the call goes through the pointers of an array in static or stack memory, one after the
// other: each function that is in it is called a few times.
bool table_is_walked(const Shape *s, uint32_t ins);
// rounds.c: every loop around the block goes a small, constant number of rounds.
bool rounds_are_few(Frequency *o, FuncId f, const Shape *s, uint32_t block);
// The same, but for loops around the other block too.
bool rounds_are_few_within(Frequency *o, FuncId f, const Shape *s, uint32_t block, uint32_t around);
// keywords.c: the loop reads a file that was opened by name.
bool keywords_loop(Frequency *o, FuncId f, const Shape *s, uint32_t loop);
// Whether only one keyword, a constant text, leads to the block.
bool keywords_lead_to(const Frequency *o, FuncId f, const Shape *s, uint32_t block);
// options.c: some way round the loop leaves the block out.
bool options_is_choice(const Shape *s, uint32_t loop, uint32_t block);
bool options_walks_memory(const Shape *s, uint32_t loop);
bool options_in_loop(const Cfg *c, uint32_t loop, uint32_t block);
void indirect_callers_free(Pointed *p);
void follows_free(Follows *k);
// Of a function that runs once: the instruction is on a branch that only some words of the command
// line, or some settings in memory, take.
bool options_lead_to(Frequency *o, FuncId f, uint32_t ins);
// The arguments (by bit) of a call in a function that runs once that are argc or argv.
uint32_t options_arguments(Frequency *o, FuncId f, uint32_t ins);

// Whether the place is met a few times. `overwritten`: as far as what is there is overwritten, an
// option's place is one of those.
bool frequency_at(Frequency *o, FuncId f, uint32_t ins, bool overwritten);
// Whether the place is met for one certain option of the command line, and only then.
bool options_letter_leads_to(Frequency *o, FuncId f, uint32_t ins);
// What one round over the letters of options has made another overwrites, for one letter alone: the option
// is given twice, whosever words they are.
bool options_given_twice(Frequency *o, FuncId f, uint32_t made, uint32_t lost);
// Whether after every call of the function that comes back with a number in this range the program
// ends, or goes on with what it does once.
bool program_ends_after_return(Frequency *o, FuncId f, int64_t low, int64_t high);
// The same from an instruction of the function on, on all ways; and after a call that gave back null.
bool program_ends_after(Frequency *o, FuncId f, uint32_t ins);
bool program_ends_after_null(Frequency *o, FuncId f, uint32_t call);
// The same after a call, where a realloc in it has failed and a pointer that its arguments lead to is null.
bool program_ends_after_null_left(Frequency *o, FuncId f, uint32_t call);
// null_left.c: all such of a function, the first; null when there is none.
const NullLeft *nulls_left(Frequency *o, FuncId f);
// The value that an address is worked out from, and how far it lies behind that.
Ref split_place(const Shape *s, Ref r, int64_t *offset);
// Adds the blocks that the function comes to after the call, where that gave a number in this range, and
// before the call again. False: there are too many ways.
bool blocks_after(Frequency *o, FuncId f, uint32_t call, int64_t low, int64_t high, Bits *into);
// forks.c: only a process that the function itself has begun comes to the place, and each of those a few times.
bool forked_at(Frequency *o, FuncId f, uint32_t ins);
// The same of the place where the path loses the block; a way out that all share counts as the child's where
// the path has taken a branch in the child.
bool forked_on_path(Frequency *o, FuncId f, const struct Grounds *path);
// Whether a process of a linked program can come to the function: from main or what runs before
// it, or since code that we do not see may call it.
bool frequency_reached(Frequency *o, FuncId f);
// Whether every call of the function passes a value that the test accepts, in the caller's terms; false
// where there is none, or where others may call it. `depth` is handed to the test.
typedef bool (*PassedTest)(Frequency *o, FuncId f, const Shape *s, Ref r, uint32_t depth);
bool all_callers_pass(Frequency *o, FuncId f, uint32_t param, PassedTest test, uint32_t depth);

#endif
