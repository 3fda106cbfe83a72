// How large a block may be, and that a list has an entry.
#include "call/call_int.h"

// So many bytes and some more are at least those, and so many elements are no fewer than none: sizes
// of blocks do not wrap around.
static void does_not_wrap(Work *w, State *s, Term size, int64_t most)
{
    Terms *t = &w->terms;
    const TermNode *n = term_node(t, size);
    bool sum = n->kind == T_ADD || (n->kind == T_ADDR && !n->b);
    int64_t k = n->kind == T_ADDR ? n->value : 0, least = 0;
    if (n->kind == T_ADD || n->kind == T_MUL) term_is_int(t, (Term){n->b}, &k);
    if (n->kind == T_INT || n->width != t->pointer_bits) return;
    if (sum && k > 0 && k < INT32_MAX) least = k;
    Range fits = cond_range(&w->conds, s->facts, size);
    if (fits.smin >= least && fits.smax <= most) return;
    fits = (Range){.smin = least, .smax = most, .umin = (uint64_t)least, .umax = (uint64_t)most};
    cond_restrict(&w->conds, &s->facts, size, &fits);
    if (least)
        does_not_wrap(w, s, (Term){n->a}, most - k);
    else if (n->kind == T_MUL && k > 0)
        does_not_wrap(w, s, (Term){n->a}, most / k);
}

bool size_is_possible(Work *w, State *s, Term size)
{
    Terms *t = &w->terms;
    if (!size.id) return true;
    Term negative = term_slt(t, size, term_int(t, t->pointer_bits, 0));
    if (cond_decide(&w->conds, s->facts, negative) == COND_TRUE) return false;
    int64_t most = t->pointer_bits >= 64 ? INT64_MAX : ((int64_t)1 << (t->pointer_bits - 1)) - 1;
    if (term_kind(t, size) != T_INT && assumes(w, ASSUME_NO_WRAP)) does_not_wrap(w, s, size, most);
    return true;
}

void size_not_empty(Work *w, State *s, Term block, uint32_t ins)
{
    Terms *t = &w->terms;
    if (!block.id || term_kind(t, block) != T_HEAP || term_width(t, block) != t->pointer_bits) return;
    Term first = bits_unknown(w, s, ins, made(MADE_FIRST, 0), t->pointer_bits);
    cond_assume(&w->conds, &s->facts, term_eq(t, first, term_null(t)), false);
    mem_store(w, s, block, t->pointer_bits / 8, first, ins);
}
