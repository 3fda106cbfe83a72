// Findings: what the analysis hands to a person.
//
// Comes in: raw findings of the stages eval, flow and own, many for one defect, built with the
// finding_* functions below. Goes out: the same in one list, as bytes and back (pack.h), as
// sentences. What becomes of them is for check/check.h. The rules, what can be found, are the rows of
// rules.def.
//
// A Findings owns an arena; all strings are copied into it. Paths are absolute and normal (see
// path_normal); only the reports make them relative. Lines and columns count from 1; line 0
// means "no position".
//
//     Finding *f = finding_new(found, RULE_LEAK, "copy_name", alloc, lost);
//     finding_names(f, "copy_text", "s");
//     finding_when_expr(f, "c < 0");
//     finding_event(f, EVENT_ALLOC, alloc, "memory allocated by copy_text");
//     finding_branch(f, at, "c < 0", true);
//     finding_event(f, EVENT_LOST, lost, "'s' goes out of scope while it still owns the memory");
#ifndef FINDING_FINDING_H
#define FINDING_FINDING_H

#include "base/diag.h"
#include "base/out.h"
#include "base/vec.h"
#include "doubt/doubt.h"
#include "finding/source.h"
#include "finding/witness.h"

#include <stdbool.h>

typedef enum {
#define RULE(name, ...) RULE_##name,
#include "finding/rules.def"
#undef RULE
    RULE_COUNT
} Rule;

typedef enum { RULE_LOSS, RULE_HELD, RULE_MISUSE } RuleClass; // see rules.def

typedef struct {
    const char *word, *title; // "leak", "MemoryLeak"
    uint32_t cwe;
    RuleClass class;
    const char *severity, *noun, *undone;
    const char *brief, *help;
} RuleInfo;

const RuleInfo *rule_info(Rule r);
// The rule for something that is never released: `noun` of its family, null for memory.
Rule rule_of_loss(const char *noun);
// Something is never released: it piles up.
static inline bool rule_piles_up(Rule r)
{
    return rule_info(r)->class == RULE_LOSS;
}
// The same, or it is still held when the program ends.
static inline bool rule_is_loss(Rule r)
{
    return rule_info(r)->class != RULE_MISUSE;
}
// Not a defect of its own.
static inline bool rule_is_note(Rule r)
{
    return rule_info(r)->class == RULE_HELD;
}
// By its word; false when there is no such rule. `len` bytes of text.
bool rule_find(const char *word, size_t len, Rule *rule);

typedef enum {
#define EVENT(name, word) EVENT_##name,
#include "finding/events.def"
#undef EVENT
    EVENT_COUNT
} EventKind;

const char *event_word(EventKind k);

bool pos_same(Pos a, Pos b); // the same place

typedef struct {
    EventKind kind;
    Pos pos;
    const char *text; // one sentence without a full stop
    const char *cond; // EVENT_BRANCH: the branch's condition in source terms, else null
    bool taken;       // EVENT_BRANCH: the condition was true
    uint32_t width;   // columns from pos.col on that it is about; 0: not known
    uint32_t depth;   // 0 in the finding's function, 1 inside a call from there, and so on
    bool folded;      // set by check_run: too much for the short form
    Pos label;        // EVENT_BRANCH of a switch: see When
} Event;

// One part of the condition on the inputs; all parts hold together.
typedef struct {
    const char *text;
    bool expr; // source text; else words
    bool decisive; // of the call that released it: kept before others; while the path is written
    bool answer;   // in words, and no failure: "f() returns NULL"; while the path is written
    Pos at;    // expr: the test; or unknown
    uint32_t part; // of what one test says, counted from 0
    Pos label;     // a switch: the first statement of the case that is taken; or unknown
    const char *from; // the function that returned what is tested, where the text does not name it; or null
    const char *within; // the callee that tests it; or null
} When;

// A block by the call that brought it into the function, and the place inside of that call; or unknown.
typedef struct {
    Pos alloc, source;
} Brought;

// How the last pointer went.
typedef enum {
    LOSS_UNSAID,
    LOSS_SCOPE,     // its variable's scope or function ended
    LOSS_OVERWRITE, // its variable was overwritten
    LOSS_OWNER,     // the object that held it was freed
    LOSS_UNUSED,    // the allocator's result was never stored
    LOSS_CONTAINER, // the container that held it was destroyed, or let it go
    LOSS_AT_END,    // main returned, whose variables were the last to hold it
    LOSS_HELD,      // its function returned, which releases it on another way out (SpecFamily.scoped)
    LOSS_COUNT
} Loss;

// The heap at the moment of loss, for the picture. Edges hold node indices; edge.cut marks the
// pointer that was there before and is gone.
typedef enum { HEAP_VARIABLE, HEAP_OBJECT, HEAP_NULL, HEAP_UNKNOWN, HEAP_KIND_COUNT } HeapKind;

typedef struct {
    HeapKind kind;
    const char *label;  // "s", "struct node"
    const char *detail; // "malloc, line 12", or null
    Pos made;           // where the object came from, shown when there is no detail
    bool lost, freed;
} HeapNode;

typedef struct {
    uint32_t from, to;
    const char *label; // field name, or null
    bool cut;
} HeapEdge;

enum { STAGE_EVAL = 1, STAGE_FLOW = 2, STAGE_OWN = 4 };

typedef enum {
    FINDING_NEW,
    FINDING_SUPPRESSED,
    FINDING_KNOWN,
    FINDING_BELOW,
    FINDING_ELSEWHERE, // not in what was asked for: other files, not of the change
    FINDING_RARE, // of less impact than was asked for; counted
    FINDING_JOINED, // told by another finding about the same block
    FINDING_SAME,   // told by another finding that has the same cause
} FindingState;

typedef struct Findings Findings;

typedef enum { REPLAY_NONE, REPLAY_WITNESSED, REPLAY_REFUTED, REPLAY_UNDECIDED, REPLAY_COUNT } Replay;

// What came of making it happen for real (stanch confirm).
typedef enum { CONFIRM_NONE, CONFIRM_CONFIRMED, CONFIRM_NOT, CONFIRM_COULD_NOT, CONFIRM_COUNT } Confirmed;
const char *confirmed_word(Confirmed c); // "confirmed", "not confirmed", "could not run"

typedef struct Finding {
    Findings *owner;
    Rule rule;
    Doubts doubts;   // why it is less than sure, or matters less
    uint32_t cwe;    // the rule's unless a more exact one was set
    uint32_t stages; // STAGE_* that agreed
    Pos alloc;       // unknown for an invalid free of something never allocated
    Pos source;      // inside the call at `alloc`: tells apart what one call brought; or unknown
    Pos lost;        // place of loss or misuse: where the finding is shown
    Pos freed;       // first free of a double free or a use after free, else unknown
    Loss loss;
    const char *function;  // the function whose code loses or misuses it
    const char *allocator; // as the program calls it, or null
    const char *releaser;  // mismatched-free: what it was released with, or null
    const char *partner;   // mismatched-free: what releases it, or null
    const char *variable;  // what held it, in source terms, or null
    const char *loser;     // the callee that released its owner and forgot it, or null
    Pos loser_at;          // where that function begins
    const char *resource;  // the noun of what is lost: "file", "descriptor"; null: memory
    VEC(When) when;        // empty: always
    VEC(Event) events;
    VEC(HeapNode) nodes;
    VEC(HeapEdge) edges;
    const char *settle_spec; // the spec line that would settle it, or null: a comment would
    bool error_exit, in_loop, main_path; // for the ranking
    Replay replay;            // what came of it
    const char *replay_text;  // with what, or why not; or null
    VEC(Brought) there;       // of a loss: the other blocks that its path had not released when it came there
    struct Grounds *grounds; // what the stages hand to each other (grounds.h); never null
    Witness *witness;         // REPLAY_WITNESSED: the run; or null
    bool again; // of a unit that an earlier program had: says only that this one is no such program

    // Set by check_run.
    uint32_t merged;  // raw findings in this one, at least 1
    uint32_t same;    // findings of the same cause that this one speaks for
    struct Finding *speaker; // FINDING_JOINED, FINDING_SAME: the one that tells it; or the first of the same cause
    uint32_t callers; // calls by which `loser` loses what it is given; 0: only one, or no matter
    FindingState state;
    const char *suppressed_by; // reason of the suppression
    char fingerprint[33];

    Confirmed confirmed; // of the history
    const char *confirmed_why; // or null
} Finding;

// The first digits of the fingerprint: what people type.
enum { SHORT_ID = 8 };
const char *finding_id(Arena *a, const Finding *f); // "" before there is a fingerprint
// "confirmed by replay with n = 2, fopen() failing the second time"; null: it was not.
const char *finding_witnessed(Arena *a, const Finding *f);

typedef struct {
    const char *path, *reason; // why it was not analysed, one line
} FailedUnit;

typedef struct {
    const char *function;
    Pos pos;
    const char *reason; // "step budget of 200000 spent"
} GivenUp;

// A specification that came with the project speaks for a function of which something else is known:
// a shipped model, or code. Whoever wrote the repository can switch the analysis off that way.
typedef struct {
    const char *function;
    Pos pos;   // of the specification
    bool code; // else a model
} Override;

// Facts of the run, for the summary and for "nothing is silently left out".
typedef struct {
    uint32_t units_total, units_analysed;
    uint32_t functions;   // that the evaluation looked at
    uint64_t step_budget; // for each function; 0 unsaid
    double seconds;       // wall clock
    int64_t compiled_at;  // nanoseconds since 1970, when the first unit's compile began; 0 unknown
    VEC(FailedUnit) failed;
    VEC(GivenUp) given_up;
    VEC(Override) overrides;
    VEC(const char *) sources; // the project's files that were compiled, headers too
} RunFacts;

// A finding of the baseline that is gone.
typedef struct {
    const char *rule, *path, *function, *message, *fingerprint;
} Fixed;

struct Findings {
    Arena *arena;
    Without without; // doubts that are not taken in
    VEC(Finding *) all;
    RunFacts run;
    VEC(Fixed) fixed;
    bool has_baseline;
};

Findings *findings_new(void);
void findings_free(Findings *fs);

// A finding is sure, and recurs, until a doubt says otherwise.
Finding *finding_new(Findings *fs, Rule rule, const char *function, Pos alloc, Pos lost);
// Frees what it holds; the caller takes it out of its list.
void finding_drop(Finding *f);
void finding_source(Finding *f, Pos source);
// A reason to lower its level or its impact; the argument may be null.
void finding_doubt(Finding *f, DoubtId id, Pos place, const char *argument);
// All of a path's.
void finding_doubts(Finding *f, const Doubts *d);
static inline Level finding_level(const Finding *f)
{
    return doubt_truth(&f->doubts);
}
static inline Impact finding_impact(const Finding *f)
{
    return doubt_impact(&f->doubts);
}
void finding_loser(Finding *f, const char *callee, Pos at);
// Another block that the path has not released.
void finding_there(Finding *f, Pos alloc, Pos source);
// Either may be null.
void finding_names(Finding *f, const char *allocator, const char *variable);
Event *finding_event(Finding *f, EventKind kind, Pos pos, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
// The event's sentence is made here: "'c < 0' is true".
Event *finding_branch(Finding *f, Pos pos, const char *cond, bool taken);
// The same branch in other words.
void finding_retell_branch(Finding *f, Event *e, const char *cond, bool taken);
// The condition in words ("fopen() fails") or as source text ("c < 0").
void finding_when(Finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void finding_when_expr(Finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// The parts from `first` on come from a test there; of a switch, with the case's first statement.
void finding_when_at(Finding *f, uint32_t first, Pos at, Pos label);
// The parts from `first` on ask for what the function returned.
void finding_when_from(Finding *f, uint32_t first, const char *callee);
void finding_settle_spec(Finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
uint32_t finding_node(Finding *f, HeapKind kind, const char *label, const char *detail);
// What is shown below the label, in `a`; or null.
const char *finding_node_detail(Arena *a, const HeapNode *n);
HeapEdge *finding_edge(Finding *f, uint32_t from, uint32_t to, const char *label);

void findings_failed_unit(Findings *fs, const char *path, const char *reason);
void findings_override(Findings *fs, const char *function, Pos pos, bool code);
void findings_given_up(Findings *fs, const char *function, Pos pos, const char *reason);
void findings_source(Findings *fs, const char *path);

Finding *finding_copy(Findings *into, const Finding *from);
// Copies all of `from` (another thread's, say) after those of `into`.
void findings_append(Findings *into, const Findings *from);

// The headline: "'s' leaks memory from strdup when c < 0".
char *finding_message(Arena *a, const Finding *f);
// "c < 0 and fopen() fails", or null when it happens always.
char *finding_condition(Arena *a, const Finding *f);
// The exact line that would settle the finding if it were wrong.
char *finding_settle(Arena *a, const Finding *f);

// Whether it belongs in the output.
static inline bool finding_shown(const Finding *f)
{
    return f->state == FINDING_NEW;
}

// 0 nothing found, 1 findings, 3 incomplete and nothing found. Only what is shown counts, and
// leak-at-exit does not.
int findings_status(const Findings *fs);

#endif
