// A loss or misuse in the program's own words: path, names, picture.
//
// Requires: a state of a function under evaluation (heap/heap.h) and the object it is about. Gives:
// events, conditions and a picture in a Finding; how far the path can be trusted; whether it can be
// taken at all (asked of the solver). Promises: nothing about the state changes but its
// story and, by explain_run and explain_kept, the mark OBJF_STAYS.
#ifndef EXPLAIN_EXPLAIN_H
#define EXPLAIN_EXPLAIN_H

#include "heap/heap.h"

// path.c
bool explain_mentions(Work *w, Term x, Term base);
// The object's own test for failure.
bool explain_is_own_test(Work *w, Term cond, Term heap);
// Where the condition of a branch was tested.
Pos explain_place_of_test(const Work *w, uint32_t ins);
// The variable that held the object; null: none that has a name.
const char *explain_variable(Work *w, const State *s, Term heap);
// What held the object where `ins` loses it: a variable, or a place in memory as in "u->name"; or null.
const char *explain_holder(Work *w, const State *s, Term heap, uint32_t ins, Loss loss);
// What is misused, by its variable or place; or null.
const char *explain_misused(Work *w, const State *s, Term base);
// A branch on what a call returned that what is known of the call decided.
typedef struct {
    uint32_t call;
    const char *text;  // "f() < 0"
    const char *words; // "f() returns NULL"; or null
    bool succeeds;     // as a library function does, or one that otherwise only fails
} Turned;
bool explain_turn(Work *w, const Story *e, Turned *t);
// The comparison that a branch makes with a number, for check/quote.c; null: it makes none.
const char *explain_shape(Work *w, const Story *e);
// Likewise of a branch that the path asked about, as it holds.
const char *explain_shape_of(Work *w, const Story *e, bool truth);
// Adds the path. Which of its conditions are told waits for explain_settle.
void explain_path(Work *w, const State *s, Finding *f, Term heap);
// Inputs and choices of the path, for its replay; of what is sure.
void explain_inputs(Work *w, const State *s, Finding *f);
// The same of a path to a call, with facts of the callee beside its own; false: it cannot be taken.
bool explain_replay(Work *w, const State *s, PMap facts, ErrorCall *into);
// How many pointers there are of which the path settled which function they hold.
uint32_t explain_choices(Work *w, const State *s);
// Whether the path asked for another field of the struct that holds this one.
bool explain_asks_beside(Work *w, const State *s, Term field);
// What holds on the path that the story tells, which is one of those that were joined; false: it
// cannot be taken.
bool explain_facts(Work *w, const State *s, PMap *facts);
// Adds what speaks against the path and against anything that is said of the object.
void explain_doubts(Work *w, const State *s, Term object, Doubts *d);
// Adds one, unless it is switched off.
void explain_doubt(Work *w, Doubts *d, DoubtId id, uint32_t ins, const char *argument);
// The doubt that an object with OBJF_DOUBTED or OBJF_TAKEN rests on.
DoubtId explain_object_doubt(ObjState o);
// Unknown code ran: objects it may have kept get OBJF_STAYS.
void explain_run(Work *w, State *s, Ref callee, uint32_t ins);
void explain_kept(Work *w, State *s, Term value, uint32_t ins);
// Whether a path to this place is worth reporting: the first few are, when they are possible. `site`
// is the same for all paths of which one stands for the others.
typedef enum { WORTH_NOTHING, WORTH_COUNTING, WORTH_TELLING } Worth;
Worth explain_worth(Work *w, const State *s, Rule rule, Term object, uint32_t ins, const Doubts *d,
                    uint64_t *site);
// The function that gave the object to this one.
const char *source_name(const Work *w, const ObjInfo *info);

// needed.c
// When all paths were walked: the findings keep the conditions that they need.
void explain_settle(Work *w);
// A path came to something about the base, whether that is told or not.
void explain_found(Work *w, const State *s, Term base, uint32_t ins, Loss loss);

// retell.c
// Takes out what is not needed, and what is too much for a headline.
void explain_retell(Work *w, Retell *r);

// decides.c
bool explain_post_dominates(const Cfg *cfg, uint32_t a, uint32_t b);
// Whether the sides of the branch differ in anything that can matter to the object, which is lost at `lost`. No
// object: to anything.
bool explain_decides(Work *w, const State *s, uint32_t branch, uint32_t lost, Term heap);
// Whether the pointer of what the call at `made` gave is overwritten at `lost` only when a loop around both runs again.
bool explain_comes_round(const Work *w, uint32_t made, uint32_t lost);
// Whether the branch only keeps the path from an early way out: its other side does not come back.
bool explain_is_passed_guard(const Work *w, const Story *e);
// The last branch of the path that the instruction is control dependent on, rather one that leads there than one that
// keeps from an early way out; null: none.
const Story *explain_governor(const Work *w, const State *s, uint32_t ins);
// Whether the object itself is an argument of the call, as far as the path still knows.
bool explain_is_passed(Work *w, const State *s, uint32_t call, Term heap);
// Whether the call neither brings nor gets the object and its answer is not used: a logger, as a rule.
bool explain_is_bystander(Work *w, const State *s, uint32_t call, Term heap);
// What is passed as an argument; none where the path does not say. A parameter is taken for a pointer.
Term explain_argument(Work *w, const State *s, Ref r);
// How the call at `ins` does something on the path, for the caller: where, which branch there decides, and how
// the callee does it in turn. In the arena. A branch that only lets the path go on to where it obtains it is no reason.
const Origin *explain_inside(Work *w, const State *s, Arena *a, uint32_t ins, const char *callee,
                             const Origin *inner, Term about, bool obtains);

// callee.c
// Whether the call, which has code, gives another answer only when something fails inside: what it gave, by the
// comparison (OP_EQ or OP_SLT) that holds or not, is what everybody expects.
bool explain_only_succeeds(Work *w, uint32_t call, Op op, int64_t value, bool holds);

// Whether the call that brought the block brings others on other paths: what it asked is a condition then.
bool explain_brings_others(Work *w, const ObjInfo *info);
// Adds to the case by which branches its path left alone what was handed in and what other paths keep or release, and
// where it asked for Case.test, in the step of the path that is given, if any.
void explain_declined(Work *w, const State *s, Arena *a, Case *c, const Story *asked);
// Where the call of a story asked for the text that it has; null: it is not known.
const Origin *explain_asked(const Story *call);
// How the call of a story left the object alone that it was given; null: it is not known.
const Origin *explain_left_alone(Work *w, const State *s, const Story *call, Term heap);

// inside.c
// Adds the misuse itself to a finding's events, and where a callee does it.
void explain_misuse(Work *w, const State *s, Finding *f, Term base, uint32_t ins);
// Adds the branch by which a callee decided: as a step, as a condition.
Event *explain_step_when(Finding *f, const Origin *o);
void explain_when_inside(Work *w, Finding *f, const Origin *o);
// Adds the branch by which a callee decided, and then what it did there.
void explain_step_inside(Finding *f, EventKind kind, const Origin *o, uint32_t depth, const char *done,
                         const char *after);

// picture.c: fills the finding's heap picture
void picture_of_loss(Work *w, const State *s, Finding *f, Term lost, const char *variable);

// names.c: terms in the program's own names, null when there is no good name.
const char *names_term(Work *w, Term x);
// The local or global that is the memory itself; null when it has no name.
const char *names_variable(Work *w, Term home);
// What is at the address: "u->name"; null when it has no name.
const char *names_place(Work *w, Term address);
// "fopen() fails": the condition is the one by which a call shows its failure; null: it is not.
const char *names_failure(Work *w, Term cond, bool truth);
// The function about whose result the condition is; null: none, or one that is asked again and again. There may be a model.
const char *names_answer(const Work *w, Term cond, bool *modelled);
const char *names_comparison(Work *w, Term cond, bool truth);
bool names_is_pure(const Work *w, Term cond);
bool names_is_modelled(const Work *w, uint32_t call);
// Whether the model of what is called says that 0 is success and all else a failure.
bool names_succeeds_with_zero(const Work *w, uint32_t call);
// "strcmp(key, "Servers")"; without a literal "f()"; null: it calls no function by its name.
const char *names_call(Work *w, uint32_t call);
// Whether the first says that a text is none that a call compares it with, and the second that it is another one.
bool names_is_other_text(Work *w, const Story *a, const Story *b);
// Whether an enumeration's value is compared with a number.
bool names_is_enumerator(Work *w, Term cond);
const char *names_denied(Work *w, const char *text);
// For check/quote.c, which has the words or drops it: "@ == 47".
const char *names_shape(Work *w, Term cond, bool truth);
bool names_condition(Work *w, Term cond, bool truth, Finding *f);
// The source name of the function that the call instruction names; null for others.
const char *names_callee(const Work *w, uint32_t ins);
// "check throws std::runtime_error": an event of the path, and a condition where nobody sees why.
// The symbol is that of the exception's type information, or null.
void names_throw(Work *w, uint32_t ins, const char *symbol, Finding *f);
// The call whose answer, its argument or null, is null by this condition; null: none.
const char *names_gives_null(Work *w, Term cond, bool truth);
#endif
