#include "logic/question.h"

#include "logic/limits.h"

typedef struct {
    Question *q;
    const Conds *conds;
    bool composed; // some fact is about more than a single unknown
    bool simple;   // now the facts about single unknowns are taken
} Posing;

// Products, quotients and shifts of two wide unknowns cost too much as circuits: they are unknowns
// themselves. Errs towards "possible".
static bool is_hard(const Terms *t, const TermNode *n)
{
    if (n->width <= EASY_WIDTH) return false;
    switch ((TermKind)n->kind) {
    case T_MUL:
    case T_SHL:
    case T_LSHR:
    case T_ASHR:
        return !term_is_int(t, (Term){n->a}, NULL) && !term_is_int(t, (Term){n->b}, NULL);
    case T_UDIV:
    case T_SDIV:
    case T_UREM:
    case T_SREM:
        return !term_is_int(t, (Term){n->b}, NULL);
    default:
        return false;
    }
}

static bool is_leaf(const Terms *t, Term x)
{
    return term_kind(t, x) < T_ADDR;
}

static bool is_taken_away(const Terms *t, Term x)
{
    int64_t v;
    const TermNode *n = term_node(t, x);
    if (n->kind == T_ADD) return is_taken_away(t, (Term){n->a}) || is_taken_away(t, (Term){n->b});
    if (n->kind == T_MUL) return term_is_int(t, (Term){n->b}, &v) && v < 0;
    return term_is_int(t, x, &v) && v < 0;
}

static uint32_t node_of(Posing *p, Term x);

// A sum that is widened without its sign, or compared so, is one of sizes: it does not wrap. A path
// that needs it to is not told. Errs towards a missed leak.
static void keep_whole(Posing *p, Term x)
{
    const Terms *t = p->conds->terms;
    const TermNode *n = term_node(t, x);
    if (n->kind != T_ADD) return;
    Term a = {n->a}, b = {n->b};
    keep_whole(p, a);
    keep_whole(p, b);
    if (is_taken_away(t, a) || is_taken_away(t, b)) return;
    vec_push(&p->q->sums, node_of(p, x));
}

static bool is_part_of(const Terms *t, Term x, Term sum)
{
    const TermNode *n = term_node(t, sum);
    return term_same(x, sum) ||
           (n->kind == T_ADD && (is_part_of(t, x, (Term){n->a}) || is_part_of(t, x, (Term){n->b})));
}

static void keep_sums(Posing *p, const TermNode *n)
{
    const Terms *t = p->conds->terms;
    Term a = {n->a}, b = {n->b};
    if (n->kind == T_ZEXT) keep_whole(p, a);
    // a + b < a asks whether it wraps.
    if (n->kind == T_ULT && !is_part_of(t, b, a) && !is_part_of(t, a, b)) {
        keep_whole(p, a);
        keep_whole(p, b);
    }
}

static uint32_t node_of(Posing *p, Term x)
{
    Question *q = p->q;
    const Terms *t = p->conds->terms;
    uint64_t *known = map_get(&q->index, x.id);
    if (known) return (uint32_t)*known;
    const TermNode *n = term_node(t, x);
    AskedNode made = {.kind = n->kind, .width = n->width ? n->width : 64, .term = x};
    bool unknown = n->kind != T_INT && (is_leaf(t, x) || n->kind == T_PARTS || is_hard(t, n));
    if (unknown) {
        made.kind = T_UNDEF;
    } else if (n->kind == T_INT) {
        made.number = n->value;
        made.fixed = true;
    } else {
        keep_sums(p, n);
        made.number = n->value;
        made.a = node_of(p, (Term){n->a});
        made.b = n->b ? node_of(p, (Term){n->b}) : 0;
        made.c = n->kind == T_ITE ? node_of(p, (Term){n->c}) : 0;
        made.fixed = q->nodes.at[made.a].fixed && (!made.b || q->nodes.at[made.b].fixed) &&
                     (!made.c || q->nodes.at[made.c].fixed);
    }
    vec_push(&q->nodes, made);
    map_set(&q->index, x.id, q->nodes.len - 1);
    return q->nodes.len - 1;
}

// A fact about one unknown, or a comparison of one unknown with a number, is exactly what the quick
// procedure decides.
static bool is_simple(const Terms *t, Term x)
{
    if (is_leaf(t, x)) return true;
    const TermNode *n = term_node(t, x);
    if (n->kind < T_EQ || n->kind > T_SLT) return n->kind == T_NOT && is_simple(t, (Term){n->a});
    return (is_leaf(t, (Term){n->a}) && term_is_int(t, (Term){n->b}, NULL)) ||
           (is_leaf(t, (Term){n->b}) && term_is_int(t, (Term){n->a}, NULL));
}

static bool look(void *context, uint64_t key, uint64_t value)
{
    Posing *p = context;
    (void)value;
    if (!is_simple(p->conds->terms, (Term){(uint32_t)key})) p->composed = true;
    return !p->composed;
}

// The unknown that a simple fact is about.
static Term subject(const Terms *t, Term x)
{
    while (!is_leaf(t, x)) {
        const TermNode *n = term_node(t, x);
        x = n->kind != T_NOT && term_is_int(t, (Term){n->a}, NULL) ? (Term){n->b} : (Term){n->a};
    }
    return x;
}

static bool take_fact(void *context, uint64_t key, uint64_t value)
{
    Posing *p = context;
    const Terms *t = p->conds->terms;
    Term x = {(uint32_t)key};
    if (term_width(t, x) == 0 || is_simple(t, x) != p->simple) return true;
    if (p->simple && !map_get(&p->q->index, subject(t, x).id)) return true;
    AskedFact fact = {node_of(p, x), cond_fact(p->conds, value)};
    vec_push(&p->q->facts, fact);
    return true;
}

bool question_pose(Question *q, const Conds *c, PMap facts)
{
    *q = (Question){0};
    Posing p = {.q = q, .conds = c};
    pmap_each(facts, look, &p);
    if (!p.composed) return false;
    vec_push(&q->nodes, (AskedNode){0});
    pmap_each(facts, take_fact, &p);
    p.simple = true;
    pmap_each(facts, take_fact, &p);
    return true;
}

void question_free(Question *q)
{
    vec_free(&q->nodes);
    vec_free(&q->facts);
    vec_free(&q->sums);
    map_free(&q->index);
}
