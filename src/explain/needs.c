// What a path asks of the function's parameters: compared later with what the calls pass
// (impact/callers.c).
#include "explain/explain.h"

#include "finding/grounds.h"

typedef struct {
    Work *w;
    Finding *f;
} Asking;

// A value is compared with a number, and the answer is known: more numbers may be ruled out so than
// a range holds.
static void asks_number(const Conds *c, Term *x, Range *r)
{
    const TermNode *n = term_node(c->terms, *x);
    int64_t k, truth;
    if (n->kind != T_EQ || !range_single(r, 1, &truth) || !term_is_int(c->terms, (Term){n->b}, &k))
        return;
    *x = (Term){n->a};
    *r = truth ? (Range){.smin = k, .smax = k, .umax = UINT64_MAX}
               : (Range){.smin = INT64_MIN,
                         .smax = INT64_MAX,
                         .umax = UINT64_MAX,
                         .not = {k},
                         .not_count = 1};
}

static bool note_needed(void *context, uint64_t key, uint64_t fact)
{
    Asking *k = context;
    const Terms *t = &k->w->terms;
    Needed a = {.offset = -1, .mask = -1};
    Term x = {(uint32_t)key};
    Range r = *cond_fact(&k->w->conds, fact);
    asks_number(&k->w->conds, &x, &r);
    const TermNode *n = term_node(t, x);
    a.wide = n->width;
    if (n->kind == T_AND && term_is_int(t, (Term){n->b}, &a.mask)) n = term_node(t, (Term){n->a});
    if (n->kind == T_SEXT || n->kind == T_ZEXT) {
        a.is_signed = n->kind == T_SEXT;
        n = term_node(t, (Term){n->a});
    }
    a.bits = n->width;
    if (n->kind == T_INPUT && n->width == 8 && !n->b && n->value >= 0 && n->value < INT32_MAX) {
        a.offset = (int32_t)n->value;
        n = term_node(t, (Term){n->a});
    }
    if (n->kind != T_PARAM || a.wide < 2 || a.wide > 64) return true;
    a.param = n->a;
    a.smin = r.smin, a.smax = r.smax, a.umin = r.umin, a.umax = r.umax;
    for (uint32_t i = 0; i < r.not_count; i++) a.others[a.other_count++] = r.not [i];
    vec_push(&k->f->grounds->needed, a);
    return k->f->grounds->needed.len < MAX_NEEDED;
}

void explain_needs(Work *w, const State *s, Finding *f)
{
    if (w->func->param_count) pmap_each(s->facts, note_needed, &(Asking){w, f});
}
