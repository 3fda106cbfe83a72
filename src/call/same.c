// What an opaque object (a string) says, told by its state: an empty one has the state zero, and copies have the state of
// the original, so that they compare alike, in callers and callees too. A text that the program spells is a number of
// its own. What is not known to be the same has a state unlike all others.
#include "call/call_int.h"

#include "base/hash.h"
#include "heap/elements.h"

#include <string.h>

Term object_content(Work *w, State *s, Term x, uint32_t ins)
{
    uint32_t bytes = w->terms.pointer_bits / 8;
    return mem_load(w, s, x, bytes, elements_word(bytes), ins);
}

static Term content_of_text(Work *w, Term x)
{
    const char *text = text_literal(w, x);
    if (!text) return (Term){0};
    if (!*text) return term_null(&w->terms);
    uint64_t h = hash_bytes(text, strlen(text), 0);
    uint32_t high = w->terms.pointer_bits - 2;
    uint64_t top = (uint64_t)1 << high;
    return term_int(&w->terms, w->terms.pointer_bits, (int64_t)(top | (h & (top - 1))));
}

static Term content(Work *w, State *s, const SpecFunc *spec, const CallArgs *args, int32_t param, uint32_t ins)
{
    if (param < 0 || (uint32_t)param >= args->count || !args->at[param].id) return (Term){0};
    Term x = args->at[param];
    if (!spec->params[param].opaque && spec->params[param].effect != SPEC_RENEWS) return content_of_text(w, x);
    return term_address(&w->terms, x).base.id ? object_content(w, s, x, ins) : (Term){0};
}

Term same_content(Work *w, State *s, const SpecFunc *spec, const CallArgs *args, uint32_t ins)
{
    Term a = content(w, s, spec, args, spec->compares[0], ins), b = content(w, s, spec, args, spec->compares[1], ins);
    return a.id && b.id ? term_eq(&w->terms, a, b) : (Term){0};
}

bool take_content(Work *w, const State *before, State *s, const SpecFunc *spec, const CallArgs *args, uint32_t ins)
{
    Terms *t = &w->terms;
    State then = *before;
    Term c = content(w, &then, spec, args, spec->same, ins), x = args->at[0];
    if (!c.id || !term_address(t, x).base.id) return false;
    if (term_is_zero(t, c)) {
        object_clear(w, s, x, ins);
    } else if (term_kind(t, c) == T_INT) {
        object_renew(w, s, x, ins, 0);
        cond_assume(&w->conds, &s->facts, term_eq(t, object_content(w, s, x, ins), c), true);
    } else {
        mem_store(w, s, x, t->pointer_bits / 8, c, ins);
    }
    return true;
}
