#include "logic/model.h"

#include "logic/search.h"

static bool is_unknown(const Terms *t, Term x)
{
    TermKind k = term_kind(t, x);
    return k >= T_HEAP && k <= T_UNDEF; // of a fresh block: whether it is null
}

static bool allows(const Range *r, uint32_t w, uint64_t v)
{
    int64_t s = (int64_t)v;
    if (w < 64) {
        uint64_t sign = (uint64_t)1 << (w - 1);
        v &= (sign << 1) - 1;
        s = (int64_t)((v ^ sign) - sign);
    }
    if (s < r->smin || s > r->smax || v < r->umin || v > r->umax) return false;
    for (uint32_t i = 0; i < r->not_count; i++)
        if (r->not [i] == s) return false;
    return true;
}

// The number of the range that is nearest to what such a number usually is: 0, or for pointers some
// address of its own.
static bool pick(const Range *r, uint32_t w, uint32_t number, bool pointer, uint64_t *value)
{
    int64_t single;
    if (range_single(r, w, &single)) {
        *value = (uint64_t)single;
        return true;
    }
    uint64_t tries[] = {pointer ? (uint64_t)(number + 1) << 20 : 0,
                        0,
                        1,
                        UINT64_MAX,
                        2,
                        (uint64_t)r->smin,
                        (uint64_t)r->smin + 1,
                        r->umin,
                        r->umin + 1,
                        (uint64_t)r->smax,
                        (uint64_t)r->smax - 1,
                        r->umax};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if (allows(r, w, tries[i])) {
            *value = tries[i];
            return true;
        }
    return false;
}

typedef struct {
    const Conds *conds;
    const Question *q; // null: none was posed
    Model *into;
    bool failed;
} Picking;

// Unknowns that no composed fact mentions have what their range says.
static bool pick_simple(void *context, uint64_t key, uint64_t fact)
{
    Picking *p = context;
    const Terms *t = p->conds->terms;
    Term x = {(uint32_t)key};
    uint32_t w = term_width(t, x);
    uint64_t value;
    if (!is_unknown(t, x) || !w || (p->q && map_get(&p->q->index, x.id))) return true;
    if (pick(cond_fact(p->conds, fact), w, p->into->len, w == t->pointer_bits, &value))
        vec_push(p->into, ((ModelEntry){x, value}));
    else
        p->failed = true;
    return !p->failed;
}

bool model_find(Solver *s, const Conds *c, PMap facts, Model *into)
{
    Question q;
    Picking p = {.conds = c, .into = into};
    bool posed = question_pose(&q, c, facts);
    if (posed) {
        p.q = &q;
        uint64_t *values = mem_alloc(q.nodes.len * sizeof *values);
        p.failed = !search_numbers(&q, values) && !solve_numbers(s, &q, values);
        if (!p.failed) search_shrink(&q, values);
        for (uint32_t i = 1; i < q.nodes.len && !p.failed; i++)
            if (q.nodes.at[i].kind == T_UNDEF && is_unknown(c->terms, q.nodes.at[i].term))
                vec_push(into, ((ModelEntry){q.nodes.at[i].term, values[i]}));
        mem_free(values);
    }
    if (!p.failed) pmap_each(facts, pick_simple, &p);
    if (posed) question_free(&q);
    return !p.failed;
}
