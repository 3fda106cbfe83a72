// Who throws: one policy for all calls.
//
// A call throws if its code does so, or its model says so. A function with neither, and an allocation
// that runs out of memory, throws only where the function that calls it has a handler for it
// (ASSUME_NO_THROW): whether objects have to be cleaned up on the way out makes no difference. What is
// declared noexcept, or compiled without exceptions, never throws; if something comes out of it the
// process ends.
#include "call/call_int.h"

#include <string.h>

static bool throws_here(Work *w, uint32_t ins, const Func *decl, const char *thrown)
{
    if (!(w->func->flags & FUNC_CXX) || (decl && (decl->flags & FUNC_NOTHROW))) return false;
    // A library's own handlers put things back in order.
    if (facts_is_library(w->facts, w->id)) return false;
    return exception_awaited(w, ins, thrown) || !assumes(w, ASSUME_NO_THROW);
}

void throw_unknown(Work *w, const State *s, uint32_t ins, const Func *decl, CallOuts *outs)
{
    State t = *s;
    if (!throws_here(w, ins, decl, NULL)) return;
    t.thrown = NULL;
    state_doubt(w, &t, DOUBT_MAY_THROW, ins);
    call_done(w, &t, ins, (Term){0}, true, outs);
}

static void doubt_throw(Work *w, State *s, uint32_t ins, SpecThrows why)
{
    if (why == SPEC_THROWS_WITHOUT_MEMORY) state_doubt(w, s, DOUBT_NO_MEMORY, ins);
    if (why != SPEC_THROWS_ONCE) return;
    state_doubt(w, s, DOUBT_LIBRARY_THROWS, ins);
    state_doubt(w, s, DOUBT_SYSTEM_ERROR, ins);
}

void throw_of_spec(Work *w, const State *s, uint32_t ins, const SpecFunc *spec, CallOuts *outs)
{
    State t = *s;
    const char *thrown = spec->thrown.id ? name_text(spec_names(w->facts->specs), spec->thrown) : NULL;
    if (!spec->throws || !throws_here(w, ins, NULL, thrown)) return;
    t.thrown = thrown;
    doubt_throw(w, &t, ins, spec->throws);
    call_done(w, &t, ins, (Term){0}, true, outs);
}

void throw_always(Work *w, State *s, uint32_t ins, const CallArgs *args, const SpecFunc *spec,
                  CallOuts *outs)
{
    // What is on the stack is left; what was handed in is on its way with it.
    for (uint32_t i = 0; i < args->count; i++) escape_term(w, s, args->at[i], ins);
    // What a whole group of names throws, a library does for errors of its own; and where a jump in C
    // lands is not followed.
    if (!(w->func->flags & FUNC_CXX))
        state_doubt(w, s, DOUBT_FAR_JUMP, ins);
    else if (spec->pattern)
        state_doubt(w, s, DOUBT_LIBRARY_THROWS, ins);
    else if (!(s->flags & STATE_FAILED) && facts_throw_is_odd(w->facts, w->trace, w->id, ins))
        state_doubt(w, s, DOUBT_ODD_EXCEPTION, ins);
    doubt_throw(w, s, ins, spec->throws);
    const Ins *i = func_ins(w->unit, w->func, ins);
    const char *type = spec->thrown.id ? name_text(spec_names(w->facts->specs), spec->thrown) : NULL;
    for (uint32_t k = 0; !type && k < i->c; k++) type = facts_type_symbol(w->unit, (Ref){*func_extra(w->unit, w->func, i->b + k)});
    // Without arguments what is on its way goes on.
    if (type || i->c || !(s->flags & STATE_UNWINDING)) s->thrown = type;
    call_done(w, s, ins, (Term){0}, true, outs);
}
