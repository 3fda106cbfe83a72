// What the path to an error needs of the caller: the error cases of the function itself
// (call/errors.c has those of its callees).
#include "lost/lost.h"

#include "lost/limits.h"

// ---- What a path needs.

// The pointer of which this says no more than that it is not null; none: it says something else.
static Term said_not_null(const Terms *t, Term x, const Range *r)
{
    const TermNode *n = term_node(t, x);
    int64_t truth;
    if (n->kind == T_EQ && term_is_zero(t, (Term){n->b}) && range_single(r, 1, &truth) && !truth)
        return (Term){n->a};
    bool all = r->umax == UINT64_MAX && r->smin == INT64_MIN && r->smax == INT64_MAX;
    bool zero = r->umin == 1 || (r->umin == 0 && r->not_count == 1 && r->not [0] == 0);
    return n->width == t->pointer_bits && all && zero ? x : (Term){0};
}

// Whether the fact asks something of the caller. A pointer that was followed is not null: with null
// there would be nothing to tell.
bool errors_asks(const Work *w, PMap touched, Term x, const Range *r)
{
    const Terms *t = &w->terms;
    const TermNode *n = term_node(t, x);
    if ((n->flags & TERM_LOCAL_ONLY) || n->kind == T_INT) return false;
    Term p = said_not_null(t, x, r);
    if (!p.id || pmap_get(touched, p.id, NULL)) return !p.id;
    // The address of a part of it is not null either.
    Term base = term_address(t, p).base;
    return !(base.id && pmap_get(touched, base.id, NULL));
}

typedef struct {
    Work *w;
    PMap touched;
} Asking;

static bool asks_nothing(void *context, uint64_t key, uint64_t fact)
{
    const Asking *k = context;
    return !errors_asks(k->w, k->touched, (Term){(uint32_t)key}, cond_fact(&k->w->conds, fact));
}

bool error_needs_caller(Work *w, PMap facts, PMap touched)
{
    return !pmap_each(facts, asks_nothing, &(Asking){w, touched});
}

// Pointer parameters that are null on this path.
static uint32_t null_params(Work *w, PMap facts)
{
    enum { MAX_PARAMS = 32 };
    Terms *t = &w->terms;
    uint32_t found = 0;
    for (uint32_t k = 0; k < w->func->param_count && k < MAX_PARAMS; k++) {
        const Param *p = &w->unit->params.at[w->func->first_param + k];
        if (mtype_class(p->mtype) != MT_PTR) continue;
        Term x = term_leaf(t, T_PARAM, t->pointer_bits, k, 0, 0, 0);
        if (cond_decide(&w->conds, facts, term_eq(t, x, term_null(t))) == COND_TRUE)
            found |= 1u << k;
    }
    return found;
}

// Whether the function itself asks if the parameter is null, or keeps it where that is not seen.
bool error_asks_for_null(const Work *w, uint32_t param)
{
    for (uint32_t i = 0; i < w->func->ins_count; i++) {
        const Ins *in = func_ins(w->unit, w->func, i);
        bool asks = in->op == OP_EQ || in->op == OP_NE || in->op == OP_STORE || in->op == OP_PHI ||
                    in->op == OP_SELECT || in->op == OP_PTRTOINT;
        Operands o = ins_operands(w->unit, w->func, in);
        for (uint32_t n = 0; asks && n < o.count + o.more_count; n++) {
            Ref r = operand_at(&o, n);
            if (ref_is_param(r) && ref_index(r) == param) return true;
        }
    }
    return false;
}

// Whether a parameter is null for which only callees ask, as functions of a library do for whatever
// they are given: that some caller passes null is not said by that.
static bool needs_null(Work *w, PMap facts)
{
    uint32_t null = null_params(w, facts);
    for (uint32_t k = 0; null >> k; k++)
        if ((null >> k & 1) && !error_asks_for_null(w, k)) return true;
    return false;
}

// ---- Of this function.

void error_own(Work *w, const State *s, Finding *f, uint64_t site)
{
    uint32_t number = w->findings->all.len - 1;
    if (w->findings->all.at[number] != f) die("a finding is not the newest one");
    bool open = error_needs_caller(w, s->facts, s->touched);
    if (open && w->open.len >= MAX_ERRORS + MAX_OWN_ERRORS) {
        finding_doubt(f, DOUBT_CALLERS_UNASKED, f->lost, NULL);
        open = false;
    }
    map_set(&w->error_sites, site, open ? w->open.len + 1 : 0);
    if (open)
        vec_push(&w->open, ((OpenError){.func = w->id,
                                        .number = number,
                                        .facts = s->facts,
                                        .touched = s->touched,
                                        .null = needs_null(w, s->facts)}));
}

void error_more(Work *w, const State *s, uint64_t site)
{
    const uint64_t *last = map_get(&w->error_sites, site);
    if (!last || !*last) return;
    OpenError *e = &w->open.at[*last - 1];
    e->facts = cond_hull(&w->conds, e->facts, s->facts);
}
