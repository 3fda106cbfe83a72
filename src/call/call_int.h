// Shared by the files of this module only.
#ifndef CALL_CALL_INT_H
#define CALL_CALL_INT_H

#include "call/call.h"
#include "call/limits.h"
#include "lost/lost.h"

typedef struct {
    Term *at;
    uint32_t count;
    const char *name; // of the callee, for stories
} CallArgs;

typedef struct {
    States *out, *thrown;
    uint32_t block;
} CallOuts;

typedef VEC(Term) TermList;

// A callee has ended the elements of a container by this function.
typedef struct {
    Term container;
    FuncId ender;
} Ending;

// One case of a summary at a call site.
typedef struct {
    Work *w;
    const State *before; // inputs are read from here
    State *s;
    const Summary *sum;
    const Case *c;
    const CallArgs *args;
    uint32_t ins;
    Term *memo; // by term of the summary: what stands for it here
    U32s *own;  // those in it that other cases must not see: what speaks of this one's objects; null: not noted
    VEC(Ending) endings; // still to be done
} Instance;
// No term of the summary has one yet.
Term *fresh_memo(Work *w, const Summary *sum);
// errors.c: the callee's error cases, with what this call passes.
void errors_at_call(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                    const Summary *sum);
// What stands for a term of the summary here.
Term translate(Instance *k, Term x);
// The case was taken and did not release what another one does.
void note_declined(Instance *k);

// size.c: an allocation of more than half of all addresses fails. False: this is one. Where the size is
// not known, paths on which it is so large because the program counts with a negative number are not
// followed: that the allocation fails is followed with other sizes.
bool size_is_possible(Work *w, State *s, Term size);
// The new block begins with a pointer that is not null.
void size_not_empty(Work *w, State *s, Term block, uint32_t ins);

void call_summary(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                  const Summary *sum, CallOuts *outs);
void call_spec(Work *w, const State *before, uint32_t ins, const CallArgs *args,
               const SpecFunc *spec, CallOuts *outs);
// Of a container's member. False: it is unknown what happens to the elements.
bool call_elements(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                   const SpecFunc *spec, FuncId f, const Func *decl, const Unit *u, CallOuts *outs);
// counted.c: a member that counts owners. False: it is unknown what becomes of them.
// The function that a member of the object holds is run; false: it is not known which.
bool call_held(Work *w, const State *before, uint32_t ins, const CallArgs *args, const SpecFunc *spec,
               const Func *decl, const Unit *u, CallOuts *outs);
// By its code, not by a spec.
bool is_evaluated(const Work *w, FuncId f);
bool call_counted(Work *w, const State *before, uint32_t ins, const CallArgs *args,
                  const SpecFunc *spec, FuncId f, const Func *decl, const Unit *u, CallOuts *outs);
// The conditions of the case; false: they do not hold here.
bool guards_hold(Instance *k);
// Whether the case releases the block that the container is in; and the elements of such containers end before
// the rest of the case. False: it cannot be the one here.
bool is_freed_by(Instance *k, Term container);
bool elements_end_early(Instance *k, States *states, CallOuts *outs);
void note_moves(Instance *k, const Term *addresses, const Term *values);
void note_endings(Instance *k, const Term *addresses, const Term *values);
// Whether a callee's store says that it has ended the elements of a container.
bool elements_ended(Work *w, Term address, Term value, Ending *end);
bool elements_told(Work *w, Term address, Term *container);
// Whether a store changes the elements of the container.
bool elements_touched(Work *w, Term container, Term address);
// Ends those that are known here.
void elements_end(Work *w, Ending end, uint32_t ins, States *states, CallOuts *outs);
// Nothing is claimed of them any more.
void elements_let_go(Work *w, State *s, Term container, uint32_t ins);
// The call of one function; f 0: nobody knows which.
void call_function(Work *w, const State *now, uint32_t ins, CallArgs *args, FuncId f,
                   CallOuts *outs);
void call_unknown(Work *w, const State *before, uint32_t ins, const CallArgs *args, FuncId f,
                  const Func *decl, const Unit *unit, CallOuts *outs);
// The state after one way through the call: result defined, losses checked, appended.
void call_done(Work *w, State *s, uint32_t ins, Term result, bool thrown, CallOuts *outs);
// throw.c: the ways on which the call leaves by an exception. Of a function with neither code nor
// model; of one whose model says so; of one that does nothing else.
void throw_unknown(Work *w, const State *s, uint32_t ins, const Func *decl, CallOuts *outs);
void throw_of_spec(Work *w, const State *s, uint32_t ins, const SpecFunc *spec, CallOuts *outs);
void throw_always(Work *w, State *s, uint32_t ins, const CallArgs *args, const SpecFunc *spec,
                  CallOuts *outs);
// The text of the string literal at x; null for others.
const char *text_literal(const Work *w, Term x);

// same.c
// What the opaque object says, as a term that is the same for all that say the same.
Term object_content(Work *w, State *s, Term x, uint32_t ins);
// Whether the two parameters that the spec compares say the same; none: not known.
Term same_content(Work *w, State *s, const SpecFunc *spec, const CallArgs *args, uint32_t ins);
// The object of the call says what another one did before it. False: what that is is not known.
bool take_content(Work *w, const State *before, State *s, const SpecFunc *spec, const CallArgs *args, uint32_t ins);

// Whether argument i, after so many named ones of which the last is a literal format, is text there
// (%s): it is read, whoever does so.
bool is_text(const Work *w, const CallArgs *args, uint32_t named, uint32_t i);
// Unknown code may have changed the globals it can name.
void escape_globals(Work *w, State *s, uint32_t ins);

// asked.c: what it has said before, where it is asked about the same.
Term asked_before(Work *w, const State *s, const SpecFunc *spec, const CallArgs *args, Term fresh);

// text.c
// Whether argument i after the format is one whose memory is read or written.
bool text_uses(const Work *w, const SpecFunc *spec, const CallArgs *args, uint32_t i);
bool text_is_kept(const SpecFunc *f);
// Whether the call reports a check of the program's own that failed: file, line and expression.
bool text_reports_check(Work *w, uint32_t ins, const CallArgs *args);
// Whether the text is never empty.
bool text_is_made(const Work *w, const SpecFunc *spec, const CallArgs *args);

// Whether a function that is called through a pointer takes a pointer to const there.
bool takes_const(Work *w, State *s, const Ins *call, uint32_t number);
// Whether it came in as a pointer to const: by whatever way it goes on, nobody behind may release it.
bool is_const_input(Work *w, Term x);
// A call through a pointer that is believed to allocate. False: it is none.
bool call_believed(Work *w, const State *before, uint32_t ins, CallArgs *args, CallOuts *outs);
// A call through a variable of a library (xmlFree) does what the row of its name says. False: it has
// none, or the program itself says what it holds.
bool call_variable(Work *w, const State *before, uint32_t ins, Term callee, CallArgs *args,
                   CallOuts *outs);

#endif
