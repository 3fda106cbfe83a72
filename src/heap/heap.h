// The symbolic heap: the state of one path, and the work on one function. For lost, call, walk, explain and show.
//
// A State is one point of one path: a handful of persistent maps, copied to fork. A Work evaluates
// one function and is thrown away afterwards, leaving a Summary.
//
// Requires: a Work that work_init (walk/walk.h) has filled in. Gives: reading and writing of memory, facts
// about numbers, and the join of paths. Promises: a State is changed only through the functions below, and
// a copy of one is independent of it.
//
// A new field of State: here; its join, and whether paths that differ in it may be joined, in join.c;
// and, if callers need it, a row of summary/case.def.
#ifndef HEAP_HEAP_H
#define HEAP_HEAP_H

#include "base/bits.h"
#include "facts/facts.h"
#include "finding/finding.h"
#include "heap/numbers.h"
#include "logic/cond.h"
#include "logic/term.h"
#include "summary/summary.h"
#include "unit/cfg.h"

typedef struct Work Work;

// ---- The heap algebra (symbolic pointer analysis, section 3.1): the chain of what happened on a path, newest
// first. `get` is the index beside it (State.mem). The chain is the story that a report tells.

typedef enum {
    STORY_NEW,    // object a was obtained
    STORY_PUT,    // address a now holds b
    STORY_FREE,   // object a was released
    STORY_BRANCH, // condition a was found to be `flag`
    STORY_CALL,   // a callee did what one case of its summary says: b is a mark of the two; a: what it gave, or none;
                  // flag: the text is a test, no failure
    STORY_THROW,  // the call left by an exception
    STORY_BELIEF, // object a was handed to code that is believed not to keep it: text says why
    STORY_ESCAPE, // object a was handed to code that may keep it
    STORY_LOST,   // object a was cut off
    STORY_UNPLACED, // callee `text` left object a alone, which it keeps in cases that return the same; or, flag,
                    // where the pointer b is not null
    STORY_TURN,   // the way to block b - 1, where what is known leaves no other; for the replay alone
    STORY_LOOP,   // the loop at block b was entered once more; flag: generalised
} StoryKind;

// Marks of the ways of a library function.
enum { CALL_FAILS, CALL_SUCCEEDS };

typedef struct Story Story;
struct Story {
    const Story *prev;
    uint8_t kind;
    bool flag;
    uint8_t round;   // of the loops around it: a mark, equal by chance now and then
    uint32_t length; // of the chain up to here
    uint32_t ins;    // instruction, for the position
    Term a, b;
    uint32_t guesses; // up to here
    const char *text; // a word on it, or null
    const Origin *inside; // STORY_FREE by a callee: how it does that, or null
    const Case *taken;    // STORY_CALL of a function with code; or null
};

// ---- Objects.

typedef enum {
    OBJ_UNKNOWN, // an input: whose it is the caller knows
    OBJ_ALLOCATED,
    OBJ_FREED,
    OBJ_LEAKED, // reported on this path
} ObjStatus;

// Packed into one word of State.objs: status 8, flags 8, instruction of the last change 32,
// family 16.
typedef struct {
    ObjStatus status;
    uint32_t flags; // OBJF_*
    uint32_t ins;
    FamilyId family; // of the function that released an input
} ObjState;

enum {
    OBJF_ESCAPED = 1, // unknown code may hold or have freed it: nothing is claimed
    OBJF_FAMILY = 2,  // stands for several objects of a generalised loop: nothing is claimed
    OBJF_MAYBE_FREED = 4,
    OBJF_STAYS = 8,     // a part of it is in use elsewhere: it may have to stay
    OBJF_BELIEVED = 16, // unknown code had it and is believed not to have kept it
    // Made in the first round of a loop that only builds: it is there and nothing in the loop
    // released it, although later rounds made more of its family.
    OBJF_FIRST = 32,
    OBJF_TAKEN = 64,    // unknown code had it and is believed to have taken it over
    OBJF_PUT_OFF = 128, // its release was switched off, or put off by a count
    OBJF_DOUBTED = OBJF_STAYS | OBJF_BELIEVED | OBJF_PUT_OFF,
};

// ---- Conditions that were joined.

// A case of several ways was taken on this path and more than one of them is possible; or paths
// that differ in their facts alone were joined.
typedef struct Choice Choice;
struct Choice {
    const Choice *prev;
    uint32_t depth;
    uint32_t at;     // instruction before which they were joined, and 1; 0: of a callee
    uint64_t own;    // fingerprint of this one
    uint64_t print;  // of all up to here
    uint64_t callee; // of the last one of a callee
    Clauses ways;
};

// ---- Memory: cells (base, byte offset) -> (size, term); one word for key and for value. What a
// cell without an entry holds is said by the base's default.

typedef enum {
    CONTENT_INITIAL, // inputs and globals: INPUT(base, offset); locals and fresh memory: undefined
    CONTENT_ZERO,
    CONTENT_HAVOC,    // unknown code wrote: HAVOC(ins, base, offset)
    CONTENT_SCRIBBLE, // known code wrote plain data, or paths were joined: likewise
    CONTENT_COPY,     // moved here from another base that was never looked at: its first content
} ContentKind;

typedef struct State {
    PMap env;      // instruction -> term
    PMap mem;      // cell -> size and term
    PMap objs;     // base term -> packed Obj
    PMap contents; // base term, or a part's start -> packed content kind, instruction, iteration
    PMap vars;     // VarId -> term, of variables that hold a tracked object
    PMap facts;    // term -> range
    PMap loops;    // loop header -> times round
    PMap records;  // loop header -> LoopRecord: not part of what makes states equal
    PMap forked;   // loop header -> FORKED_*, of this round; likewise
    PMap escaped;  // base -> 1: inputs that unknown code may have kept; likewise
    PMap loose;    // base -> 1: inputs of which some unknown element was freed or kept; likewise
    PMap touched;  // base -> TOUCH_*: inputs used on this path; likewise
    PMap sizes;    // object -> its size in bytes, a term; likewise
    PMap lent;     // call -> what it gave is an address in this container: see lost/lent.c; likewise
    PMap lost;     // objects whose last pointer may just have gone; empty between instructions
    const Story *story;
    const Choice *choices; // newest first
    const char *thrown;    // what an exception on its way is, by the symbol of its type information; or null
    uint32_t iter;         // fingerprint of `loops`
    uint32_t flags;        // STATE_*
    Doubts doubts;         // of the path as a whole; not part of what makes states equal
    uint32_t guesses;      // open tests of values that a join made unknown
    uint32_t from;         // block it came from, for phis
    uint32_t last_loc;     // LocId of the last statement that was executed
    uint32_t left_by;      // LocId of the return, break, continue or goto being carried out; 0 none
    uint32_t swept;        // size of memory and contents when they were last swept
} State;

// How an input was used: read or written through, so that it is no null pointer; or so, or by a
// library function, or it was null.
enum { TOUCH_DEREFERENCED = 1, TOUCH_USED = 2 };

// What stood at a loop's header when the path came by: to see what a round changes.
typedef struct {
    PMap mem, env, objs;       // at the last arrival
    PMap older_mem, older_env; // at the one before
    PMap contents, vars, escaped, loose, sizes;
    PMap first_objs, first_contents; // at the first
    PMap second_objs;                // at the second: with what the first round made
} LoopRecord;

enum {
    FORKED_TEST = 1,  // an exit test was open
    FORKED_INNER = 2, // the loop's own test was not, but another way out was, or a call had several
                      // ways out, and later tests may tell them apart
};

enum {
    STATE_GENERAL = 1,     // went through a generalised loop
    STATE_UNWINDING = 2,   // an exception is on its way
    STATE_JOINED = 32,     // values of several paths were joined
    STATE_SYMBOLIC = 16,   // some cell has a symbolic index
    STATE_ARENA = 64,      // some block lives in an arena
    STATE_ERROR = 8,       // took a failure branch of a call: ranking
    STATE_FAILED = 256,    // a call has failed, and nobody has set the number that says why
    STATE_RETURNING = 128, // after a return statement: what follows is clean-up
    STATE_CLOSED = 512,    // one of the numbers 0 to 2 was closed and not taken since; so many of
    STATE_CLOSED_MASK = 3 * 512, // them, up to three
};

typedef VEC(State) States;

// The path is to be trusted less, or matters less, for what happens at the instruction (state.c).
void state_doubt(Work *w, State *s, DoubtId id, uint32_t ins);

// The next statement begins.
static inline void state_goes_on(State *s)
{
    if (!(s->flags & STATE_RETURNING)) s->left_by = 0;
}

static inline uint64_t cell_key(Term base, int64_t offset)
{
    return (uint64_t)base.id << 32 | (uint32_t)((int32_t)offset ^ INT32_MIN);
}
static inline Term cell_base(uint64_t key)
{
    return (Term){(uint32_t)(key >> 32)};
}
static inline int64_t cell_offset(uint64_t key)
{
    return (int32_t)((uint32_t)key ^ (uint32_t)INT32_MIN);
}
static inline uint64_t cell_value(uint32_t size, Term x)
{
    return (uint64_t)size << 32 | x.id;
}
static inline Term cell_term(uint64_t value)
{
    return (Term){(uint32_t)value};
}
static inline uint32_t cell_size(uint64_t value)
{
    return (uint32_t)(value >> 32);
}

// ---- The evaluation of one function.

typedef struct {
    uint32_t first, count; // in Work.use_ins
} UseRange;

// A loss that shows only on a path with many guesses, and the instruction that brought the block.
typedef struct {
    Finding *finding;
    uint32_t ins;
} Guessed;

// What explain/needed.c asks once all paths are known. A path that came to an exit of the function; a story that
// was joined to another one, which goes on; a story that came to a finding about the base.
typedef struct {
    const Story *story;
    PMap objs, facts;
    bool fails; // as far as the function tells its callers
} PathEnd;

// Something of a scoped family that a path left the function with (lost/held.c).
typedef struct {
    const struct State *at;
    Term heap;
    uint32_t ins;
    bool fails;
} HeldAtExit;

// One way into a join: what was known of objects and of memory on it.
typedef struct {
    const Story *story;
    PMap objs, mem;
} JoinedWay;

typedef struct {
    JoinedWay kept, dropped;
    PMap objs;       // what is known of objects after the join
    uint32_t before; // the one before it that was joined to the same story, and 1; 0: none
} JoinedStory;

typedef struct {
    const Story *story;
    Term base;
    uint32_t ins;
    bool overwrites; // its last pointer
} FoundAt;

// A choice of a path, and what was said of it.
typedef struct {
    const Story *at;
    uint32_t when, count; // parts of the finding's condition
    uint32_t event;       // UINT32_MAX: none
    uint32_t more;        // events after that one
    bool early;           // before the block was there
    bool fails, succeeds; // a call that fails; that does not
    bool answer;          // what a call returned
    bool nameless;        // only the source has words for it
    bool aside;           // by its place in the code it decides nothing: a logger's
    bool generic;         // only that a callee neither keeps nor releases it
    bool guard;           // that a call gave 0, past an early way out: success by custom
    bool test;            // what a callee asked, of something that only it knew
    bool left;            // a callee left it alone that may keep or release it
    bool own;             // by failing, the call that it came from left it here
    bool again;           // the loop that made the block goes round once more
    bool by_turn;         // a later branch on the call's result says it
    bool expected;        // and that it was what everybody expects
    bool follows;         // another case of the switch that the one before it is about
    uint32_t of;          // says what another one decided: its index and 1; 0: none
    bool needed, leads;   // to the finding; to its place
} ToldChoice;

// A finding whose words wait for the other paths.
typedef struct {
    Finding *finding;
    Term heap;
    ToldChoice *told; // in the order of the path
    uint32_t count;
    uint32_t lost; // instruction
    bool weighed;
    bool later_round; // the loop that made the block overwrites its pointer when it runs again
} Retell;

// An error case in the making (lost/errors.c): what holds on the path to it, of which the summary
// keeps what is about inputs.
typedef struct {
    FuncId func;
    uint32_t number, depth;
    PMap facts, touched;
    PMap wanted; // terms that a callee's error case asks for
    bool more, null;
} OpenError;

// What is reachable; see reach.c. It is asked for all the time: the memory goes from one answer to
// the next.
typedef struct {
    U32s reached;    // base terms, as they were found
    uint64_t *words; // by term: whether it is among them
    uint32_t word_count;
    Work *w; // which takes the memory back
} Reach;

struct Work {
    const Facts *facts;
    Trace *trace; // what is asked of facts; null: not noted
    Callees *callees;
    FuncId id;
    uint32_t unit_index;
    const Unit *unit;
    const Func *func;
    Arena *arena; // everything of this evaluation
    Terms terms;
    Conds conds;
    Cfg *cfg;
    struct Solver *solver;
    Findings *findings; // raw findings of this function
    VEC(ObjInfo *) infos; // in the arena: none ever moves
    Map info_of;          // HEAP term -> index in infos
    Map name_of;      // term -> VarId + 1 it was first bound to; or the function's number of variables and that of a local
    Bits kept;        // by instruction: what the walk looks at (focus.c)
    uint32_t *way_on; // by block: of one whose branch is passed over, where its ways meet again
    uint32_t *rank;   // block -> place in the order of work; loops are contiguous
    UseRange *uses;   // by instruction
    uint32_t *use_ins;
    Bits *live_in;          // by block, over `global_value`
    Bits *live_out;         // likewise at its end: what phis after it take, too
    uint32_t *phi_loop;     // instruction -> loop whose header's phi it is, index + 1; 0 none
    uint32_t *global_value; // instruction -> number + 1 in live sets, 0: used in its own block only
    uint32_t global_value_count;
    States *pending; // by block
    Bits reached;    // blocks that some path came to
    States exits;
    uint32_t exits_room; // with so many exits they are thinned out
    VEC(Term) memo;      // scratch of call.c
    VEC(Reach) reaches;  // of reach.c: all zero and empty
    VEC(uint8_t) named;  // of sweep.c: all zero
    VEC(bool) symbolic;  // of reach.c: bases that have had cells at a symbolic index
    Map answers;         // fingerprint of facts -> the solver's answer
    Map reported;        // rule, object, place and level -> how many paths to it were reported
    Map by_target;       // callee and what it brings -> its number, see number_by_target
    Map asked;           // pure function and what it is asked -> its answer
    Bits disposed;       // by instruction: what it brought was released or handed on by some path
    VEC(Guessed) guessed;
    VEC(PathEnd) ends;
    VEC(HeldAtExit) held;
    VEC(JoinedStory) joined_stories;
    VEC(FoundAt) found_at;
    VEC(Retell) retell;
    VEC(OpenError) open; // error cases of this function
    VEC(ErrorCall) error_calls;
    U32s error_call_before; // of the same error case at the same call, and 1; 0: none
    Map error_call_of;      // call and error case -> the newest, and 1
    Map error_sites; // what explain_worth calls a site -> index in `open` of its last path, and 1
    uint64_t error_steps;
    uint64_t steps, budget;
    uint64_t looked; // entries of states, blocks and values gone through as a whole: see looked_at
    uint64_t assumed[ASSUME_COUNT]; // how often each assumption decided
    uint64_t forks, passed_over; // branches that were taken both ways; branches not asked about
    bool gave_up, dropped_states;
    bool filled; // given up for its bytes, not its steps
    bool blurred; // paths were joined whose open objects differ: nothing is claimed of those
    const char *why;
    bool mute;      // findings are not wanted (first rounds of recursion)
    bool recursive; // may come back to itself
    bool deeper;    // what a recursive callee does further down than it was followed was left out
    bool silent;    // nothing is obtained or released in it, as far as was seen
    const Origin *inside; // while a callee's case releases something: how it does that; else null
    const Case *taken; // while the call of one is written into the story; else null
    struct Disposals *disposals; // of explain/callee.c: by parameter; null: not asked yet
    uint32_t rest;  // REST_*: what is done to the arguments after `...`
    uint32_t borrows, spares, leaves; // by parameter: see Summary
};

// Whether the assumption holds: it does unless it is switched off. Asked where it decides.
static inline bool assumes(Work *w, AssumptionId id)
{
    if (without_assumption(&w->findings->without, id)) return false;
    w->assumed[id]++;
    return true;
}

// Offset at which an embedded resource's handle is beside the struct that has it inside.
enum { EMBEDDED_AT = 1 << 30 };
// Likewise the number of references to an object that a spec counts (none: one), and the arena that
// a block lives in.
enum { REFERENCES_AT = INT32_MAX - 48, ARENA_AT = INT32_MAX - 80 };

// Width of a resource that is named by a number, and the largest number of those that a process is
// given open.
enum { NUMBER_BITS = 32, LAST_STANDARD_STREAM = 2 };

// A piece of an aggregate that is unknown: T_UNDEF(aggregate, 0, UNDEF_PART).
enum { UNDEF_PART = 4 };

// state.c
ObjState obj_get(const State *s, Term base);
void obj_set(Work *w, State *s, Term base, ObjState o);
ObjInfo *obj_info(Work *w, Term heap);
Term obj_size(const State *s, Term heap); // none: unknown
Term obj_new(Work *w, State *s, uint32_t ins, uint32_t number, const ObjInfo *like, uint32_t width);
void obj_born(Work *w, Term heap, const ObjInfo *like);
// Whether the allocation is known to have failed on this path.
bool obj_failed(Work *w, const State *s, Term heap);
Term fail_condition(Work *w, Term heap);
void story_add(Work *w, State *s, StoryKind kind, uint32_t ins, Term a, Term b, bool flag,
               const char *text);

Term mem_load(Work *w, State *s, Term address, uint32_t bytes, MType type, uint32_t ins);
// What the constructor of the caller's struct always sets is not null from here on, and a queue has both
// its ends or none. False: it is otherwise, so that nothing comes here.
bool loaded_agrees(Work *w, State *s, Term value, MType type, uint32_t ins);
bool is_not_zero(const Work *w, const State *s, Term x);
// Whether the value is that of a global which is never put back to zero, and is not zero: then no value that
// comes there unseen is zero (stays_raised).
bool is_raised(Work *w, const State *s, Term home, int64_t offset, Term value);
void stays_raised(Work *w, State *s, Term value);
// Where the value of such a global is zero now, it was when the function was called. False: it was not.
bool was_zero(Work *w, State *s, GlobalId g, Term value);
// The same by the cell's own name: its base, or ADDR(base, index, 0).
Term mem_cell(Work *w, State *s, Term home, int64_t offset, uint32_t bytes, uint32_t bits,
              uint32_t ins);
void mem_store(Work *w, State *s, Term address, uint32_t bytes, Term value, uint32_t ins);
void mem_copy(Work *w, State *s, Term to, Term from, Term length, uint32_t ins);
void mem_fill(Work *w, State *s, Term to, Term byte, Term length, uint32_t ins);
// Forgets what the base holds (unknown code wrote); pointers that stood there stay safe.
void mem_havoc(Work *w, State *s, Term base, uint32_t ins);

// content.c
uint64_t content_word(const State *s, ContentKind kind, uint32_t ins);
// False: what it held at first.
bool content_at(const State *s, Term base, int64_t offset, uint64_t *word);
void content_forget(Work *w, State *s, Term base);
void content_set(Work *w, State *s, Term base, uint64_t word); // all of it
// From the offset on, for so many bytes; 0: nobody knows how many.
void content_set_part(Work *w, State *s, Term base, int64_t offset, int64_t bytes, uint64_t word);
// The base that a key of the contents is about, and whether the key is that of a part.
static inline bool content_is_part(uint64_t key)
{
    return key >> 32;
}
static inline Term content_base(uint64_t key)
{
    return content_is_part(key) ? cell_base(key) : (Term){(uint32_t)key};
}
static inline ContentKind content_kind(uint64_t word)
{
    return (ContentKind)(word & 7);
}
static inline Term content_source(uint64_t word)
{
    return (Term){(uint32_t)(word >> 32)};
} // COPY
// The source type of the variable that x was first bound to (`name_of`); 0 where there is none.
TypeId name_type(const Work *w, Term x);
// Plain data from the address on may have changed, for so many bytes (0: nobody knows how many);
// pointers stored there stay.
void mem_scribble(Work *w, State *s, Term address, int64_t bytes, uint32_t ins);
// Drops all cells of the base; pointers in them may be the last ones.
void mem_forget(Work *w, State *s, Term base);
// A pointer to what x mentions is gone.
void queue_lost(Work *w, State *s, Term x);
Term value_width(Work *w, Term x, MType type); // makes x as wide as the type
// An unknown that the instruction makes, as wide as the type or of so many bits; its number is one of
// numbers.h.
Term value_unknown(Work *w, const State *s, uint32_t ins, uint32_t number, MType type);
Term bits_unknown(Work *w, const State *s, uint32_t ins, uint32_t number, uint32_t bits);

// The number of an object that a callee brings. A call through a pointer reaches several: what each of
// them brings is another object. The callee is a FuncId or, by its model, the name of that.
uint32_t number_by_target(Work *w, uint32_t callee, uint32_t what, bool model);

// An input that is no address but may be the number of a resource: a descriptor.
static inline bool is_number_input(const Terms *t, Term x)
{
    TermKind kind = term_kind(t, x);
    return (kind == T_PARAM || kind == T_INPUT) && term_width(t, x) == 32;
}
// The number as it came in, before it was made wider or narrower.
static inline Term unconverted(const Terms *t, Term x)
{
    for (TermKind k = term_kind(t, x); k == T_SEXT || k == T_ZEXT || k == T_TRUNC;
         k = term_kind(t, x))
        x.id = term_node(t, x)->a;
    return x;
}

// reach.c
// Marks what is reachable from the roots of this moment (or of an exit) in `r`.
void reach_now(Work *w, const State *s, uint32_t block, uint32_t ins, Reach *r);
void reach_exit(Work *w, const State *s, Term result, Reach *r);
void reach_term(Work *w, const State *s, Term x, Reach *r);
void reach_free(Reach *r);
// A cell at a symbolic index of the base is about to be written.
void reach_note_symbolic(Work *w, Term base);
bool reach_has(const Reach *r, Term base);
// Whether a value that is used after the instruction, or a cell other than `but`, is an address of
// the object.
bool held_elsewhere(Work *w, const State *s, uint32_t block, uint32_t ins, Term base, uint64_t but);
// Everything that x reaches is handed to unknown code.
void escape_term(Work *w, State *s, Term x, uint32_t ins);
// Likewise of several at once, which costs little more than one.
void escape_terms(Work *w, State *s, const Term *xs, uint32_t count, uint32_t ins);
void escape_contents(Work *w, State *s, Term base, uint32_t ins, bool written);

// table.c
// Whether a row of a constant table is left that has what the path knows of its fields, where the
// condition asks for one at an unknown index.
bool table_has_row(Work *w, const State *s, Term cond);

// choices.c
// What both paths have chosen.
const Choice *choices_common(Work *w, const Choice *a, const Choice *b);
// What both have chosen, and which of the two it was, where the facts of both are now `hull`.
const Choice *choices_joined(Work *w, const State *mine, const State *other, PMap hull,
                             uint32_t at);
// Whether what is known now leaves a way of each choice.
bool choices_possible(Work *w, const State *s);
const Choice *choice_new(Work *w, const Choice *prev, Clauses ways, uint32_t at);

// join.c
// An open test of this condition is about to be taken: where it asks for a value that a join made
// unknown, the paths after the join may not be among those that led to it.
void note_guess(Work *w, State *s, Term cond);
// Whether it asks for such a value, whose name may have meant another one earlier.
bool asks_joined(const Work *w, Term cond);
// In the instruction of a HAVOC: a callee's paths were joined, and of what it wrote that may be
// all.
enum { BY_JOIN = 0x10000000 };

// What makes a path less than plain: loops and joins, and doubts.
uint32_t blur_of(const State *s);
// An object of which something may yet be claimed; `word` is its entry in State.objs.
bool is_open_object(const Work *w, Term base, uint64_t word);

// certain.c
// Fills in `borrows`, `spares` and `leaves`.
void certain_find(Work *w);
// Whether the function certainly neither keeps nor releases the input, and neither keeps, releases
// nor replaces anything that hangs on it.
bool certainly_borrowed(const Work *w, Term x);
bool certainly_left(const Work *w, Term x);
// Whether a callee, whose cases are not known or not all of them, certainly neither keeps nor
// releases the argument. Where it may do so to what hangs on it, nothing is claimed of that.
bool certainly_spared(Work *w, State *s, uint32_t ins, const Summary *sum, uint32_t number, Term x);

// cover.c
// Puts the paths first that are to stay as they are when the others are joined, and says how many.
// Strict: none that was joined with others for the budget alone.
uint32_t cover_first(Work *w, States *states, uint32_t most, bool strict);
// The less was joined and the shorter the story, the plainer the path.
bool is_plainer(const State *a, const State *b);

// rename.c
// The path with open objects under the names that `first` has for what their places make; where a place is
// new, it is noted there. False: there is nothing to rename.
bool rename_objects(Work *w, const State *s, Map *first, State *out);

// rest.c
// Whether it is an address there, or what was picked from there or hangs on that.
bool is_rest(const Terms *t, Term x, bool *picked);
// Something is done to it: REST_KEPT, REST_CHANGED.
void rest_note(Work *w, Term x, uint32_t what);
// A value is stored in an object; with no home, it is given back or not followed any more.
void rest_stored(Work *w, Term home, Term value);
void rest_begin(Work *w, State *s, Term list, uint32_t ins);
// The arguments of the list are written through.
void rest_filled(Work *w, State *s, Term list, uint32_t ins);
// In bytes, where it is a local variable; else the size that it has on most targets.
uint64_t rest_list_size(const Work *w, Term list);

// sweep.c
// Forgets objects, contents and cells that no value of this path leads to any more. Looks at them
// where the state has grown since the last time, or else for objects alone where `objects` says so.
void sweep(Work *w, State *s, bool objects);

// join.c
// Joins what can be joined and, where too many are left, more than that.
void thin_out(Work *w, States *states, uint32_t block, uint32_t ins);
// Likewise the exits that have come together so far.
void thin_out_exits(Work *w, uint32_t ins);

// How many paths a function is worth yet, by the steps that it took: beyond its share it gets
// fewer, and in the end those that meet are one, so that a result is had whatever it costs.
typedef enum { EFFORT_FULL, EFFORT_LESS, EFFORT_LEAST } Effort;
uint64_t steps_allowed(const Work *w); // before the function is given up
// That many entries of a map or a list are gone through because of a single instruction. Few of them
// are nothing beside a step, but where a state has thousands they are all that is done. They do not
// lessen the effort, only bring the end of the budget nearer.
static inline void looked_at(Work *w, uint64_t entries)
{
    w->looked += entries;
}
// Whether the function is given up: asked before each instruction and each of many joins.
bool give_up_if_spent(Work *w);
Effort effort_of(const Work *w);

// names of places and values
Term constant_term(Work *w, const Unit *u, uint32_t unit_index, const Const *c, uint32_t bits);
uint32_t value_bits(const Work *w, MType m);
// The value of an instruction's operand on this path.
Term operand(Work *w, State *s, Ref r);

// The source type of an input: of a parameter, or of a field that it leads to.
TypeId input_type(Work *w, Term x, int depth);
Pos pos_of(const Work *w, uint32_t loc);
Pos pos_of_ins(const Work *w, uint32_t ins);
// From the block's start nothing but clean-up is done before the function is left.
bool leads_to_exit(const Work *w, uint32_t block);
// Likewise from an instruction of the block on.
bool clean_up_from(const Work *w, uint32_t block, uint32_t ins);

// live.c
// Fills in uses and liveness; gives the function up where that does not fit.
void live_find(Work *w);

// caught.c: exceptions
// Whether a handler of this function takes what the call throws (null: whatever that is).
bool exception_awaited(const Work *w, uint32_t ins, const char *thrown);
// Whether the exception on its way goes this side of a branch, which may ask for its type.
bool exception_takes(Work *w, State *s, Term cond, bool side, uint32_t ins);

// ---- failed.c: the number that says why a call failed

// A test of a call's result was decided: where it says that the call failed, the state remembers it.
void note_failure(Work *w, State *s, Ref test);
// Whether the address is that of the number that says why a call failed (errno).
bool says_why(const Work *w, Ref address);
// The number there, `place`, is above 0 once a call has failed.
void error_is_positive(Work *w, State *s, Term place, uint32_t ins);

#endif
