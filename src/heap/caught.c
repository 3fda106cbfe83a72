// Exceptions on their way: which handlers of the function take them.
#include "heap/heap.h"

// A handler of this function catches something of what the call throws; `thrown` may be null.
bool exception_awaited(const Work *w, uint32_t ins, const char *thrown)
{
    const Ins *i = func_ins(w->unit, w->func, ins);
    if (i->op != OP_INVOKE) return false;
    const Block *b = func_block(w->unit, w->func, *func_extra(w->unit, w->func, i->b + i->c + 1));
    for (uint32_t k = b->first; k < b->first + b->count; k++) {
        const Ins *in = func_ins(w->unit, w->func, k);
        for (uint32_t n = 0; in->op == OP_LANDING && n < in->c; n++) {
            const char *type = facts_type_symbol(w->unit, (Ref){*func_extra(w->unit, w->func, in->b + n)});
            if (!type || !thrown || facts_catches(w->facts, w->trace, thrown, type) == CAUGHT) return true;
        }
    }
    return false;
}

// The type that the condition compares with that of an exception caught here; null: it does not.
static const char *asked_type(const Work *w, Term cond, bool *asks)
{
    const Terms *t = &w->terms;
    const TermNode *n = term_node(t, cond);
    const char *type = NULL;
    uint32_t sides[2] = {n->a, n->b};
    *asks = false;
    for (int i = 0; n->kind == T_EQ && i < 2; i++) {
        const TermNode *part = term_node(t, (Term){sides[i]}), *whole = part;
        if (part->kind == T_UNDEF && part->a && part->c == UNDEF_PART) whole = term_node(t, (Term){part->a});
        if (whole->kind != T_RESULT || whole->a >= w->func->ins_count) continue;
        const Ins *in = func_ins(w->unit, w->func, whole->a);
        if (in->op == OP_LANDING) *asks |= whole != part;
        else if (op_form((Op)in->op) == FORM_OPAQUE && in->c == 1)
            type = facts_type_symbol(w->unit, (Ref){*func_extra(w->unit, w->func, in->b)});
    }
    return *asks ? type : NULL;
}

bool exception_takes(Work *w, State *s, Term cond, bool side, uint32_t ins)
{
    bool asks;
    const char *type = asked_type(w, cond, &asks);
    if (!asks) return true;
    Caught known = type ? facts_catches(w->facts, w->trace, s->thrown, type) : CAUGHT_MAYBE;
    if (known == CAUGHT_MAYBE && !side) state_doubt(w, s, DOUBT_UNCAUGHT, ins);
    return known == CAUGHT_MAYBE || side == (known == CAUGHT);
}
