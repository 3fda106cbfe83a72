#include "eval/solve.h"

#include <z3.h>

enum { STEP_LIMIT = 1000000, MAX_FACTS = 400, EASY_WIDTH = 16 };

struct Solver {
    Z3_context z3;
    Z3_solver solver;
    uint64_t questions;
};

typedef struct {
    Solver *s;
    const Conds *conds;
    Map made;      // term -> Z3_ast
    bool composed; // some fact is about more than a single unknown
    bool simple;   // now the facts about single unknowns are asserted
} Question;

Solver *solver_new(void)
{
    return mem_alloc(sizeof(Solver));
}

void solver_free(Solver *s)
{
    if (!s) return;
    if (s->z3) {
        Z3_solver_dec_ref(s->z3, s->solver);
        Z3_del_context(s->z3);
    }
    mem_free(s);
}

uint64_t solver_questions(const Solver *s)
{
    return s->questions;
}

static void start(Solver *s)
{
    if (s->z3) return;
    Z3_config config = Z3_mk_config();
    s->z3 = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_set_error_handler(s->z3, NULL);
    s->solver = Z3_mk_simple_solver(s->z3);
    Z3_solver_inc_ref(s->z3, s->solver);
    Z3_params params = Z3_mk_params(s->z3);
    Z3_params_inc_ref(s->z3, params);
    Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "rlimit"), STEP_LIMIT);
    Z3_solver_set_params(s->z3, s->solver, params);
    Z3_params_dec_ref(s->z3, params);
}

static Z3_ast number(Question *q, uint32_t width, int64_t v)
{
    return Z3_mk_int64(q->s->z3, v, Z3_mk_bv_sort(q->s->z3, width));
}

static Z3_ast from_bool(Question *q, Z3_ast b)
{
    return Z3_mk_ite(q->s->z3, b, number(q, 1, 1), number(q, 1, 0));
}

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

static Z3_ast build(Question *q, Term x);

static bool is_taken_away(const Terms *t, Term x)
{
    int64_t v;
    const TermNode *n = term_node(t, x);
    if (n->kind == T_ADD) return is_taken_away(t, (Term){n->a}) || is_taken_away(t, (Term){n->b});
    if (n->kind == T_MUL) return term_is_int(t, (Term){n->b}, &v) && v < 0;
    return term_is_int(t, x, &v) && v < 0;
}

// A sum that is widened without its sign, or compared so, is one of sizes: it does not wrap. A path
// that needs it to is not told. Errs towards a missed leak.
static void keep_whole(Question *q, Term x)
{
    const Terms *t = q->conds->terms;
    const TermNode *n = term_node(t, x);
    if (n->kind != T_ADD) return;
    Term a = {n->a}, b = {n->b};
    keep_whole(q, a);
    keep_whole(q, b);
    if (is_taken_away(t, a) || is_taken_away(t, b)) return;
    Z3_context z = q->s->z3;
    Z3_solver_assert(z, q->s->solver, Z3_mk_bvadd_no_overflow(z, build(q, a), build(q, b), false));
}

static bool is_part_of(const Terms *t, Term x, Term sum)
{
    const TermNode *n = term_node(t, sum);
    return term_same(x, sum) ||
           (n->kind == T_ADD && (is_part_of(t, x, (Term){n->a}) || is_part_of(t, x, (Term){n->b})));
}

static Z3_ast build(Question *q, Term x)
{
    uint64_t *known = map_get(&q->made, x.id);
    if (known) return (Z3_ast)(uintptr_t)*known;
    const Terms *t = q->conds->terms;
    const TermNode *n = term_node(t, x);
    Z3_context z = q->s->z3;
    uint32_t w = n->width ? n->width : 64;
    Z3_ast r = NULL;
#define A build(q, (Term){n->a})
#define B build(q, (Term){n->b})
    switch (is_hard(t, n) ? T_UNDEF : (TermKind)n->kind) {
    case T_INT:
        r = number(q, w, n->value);
        break;
    case T_ADDR:
        r = Z3_mk_bvadd(z, A, number(q, w, n->value));
        if (n->b) r = Z3_mk_bvadd(z, r, B);
        break;
    case T_ADD:
        r = Z3_mk_bvadd(z, A, B);
        break;
    case T_MUL:
        r = Z3_mk_bvmul(z, A, B);
        break;
    case T_UDIV:
        r = Z3_mk_bvudiv(z, A, B);
        break;
    case T_SDIV:
        r = Z3_mk_bvsdiv(z, A, B);
        break;
    case T_UREM:
        r = Z3_mk_bvurem(z, A, B);
        break;
    case T_SREM:
        r = Z3_mk_bvsrem(z, A, B);
        break;
    case T_SHL:
        r = Z3_mk_bvshl(z, A, B);
        break;
    case T_LSHR:
        r = Z3_mk_bvlshr(z, A, B);
        break;
    case T_ASHR:
        r = Z3_mk_bvashr(z, A, B);
        break;
    case T_AND:
        r = Z3_mk_bvand(z, A, B);
        break;
    case T_OR:
        r = Z3_mk_bvor(z, A, B);
        break;
    case T_XOR:
        r = Z3_mk_bvxor(z, A, B);
        break;
    case T_TRUNC:
        r = Z3_mk_extract(z, w - 1, 0, A);
        break;
    case T_ZEXT:
        keep_whole(q, (Term){n->a});
        r = Z3_mk_zero_ext(z, w - term_width(t, (Term){n->a}), A);
        break;
    case T_SEXT:
        r = Z3_mk_sign_ext(z, w - term_width(t, (Term){n->a}), A);
        break;
    case T_NOT:
        r = Z3_mk_bvnot(z, A);
        break;
    case T_EQ:
        r = from_bool(q, Z3_mk_eq(z, A, B));
        break;
    case T_ULT:
        // a + b < a asks whether it wraps.
        if (!is_part_of(t, (Term){n->b}, (Term){n->a}) &&
            !is_part_of(t, (Term){n->a}, (Term){n->b})) {
            keep_whole(q, (Term){n->a});
            keep_whole(q, (Term){n->b});
        }
        r = from_bool(q, Z3_mk_bvult(z, A, B));
        break;
    case T_SLT:
        r = from_bool(q, Z3_mk_bvslt(z, A, B));
        break;
    case T_ITE:
        r = Z3_mk_ite(z, Z3_mk_eq(z, A, number(q, 1, 1)), B, build(q, (Term){n->c}));
        break;
    default:
        r = Z3_mk_const(z, Z3_mk_int_symbol(z, (int)x.id), Z3_mk_bv_sort(z, w));
        break;
    }
#undef A
#undef B
    map_set(&q->made, x.id, (uint64_t)(uintptr_t)r);
    return r;
}

static bool is_leaf(const Terms *t, Term x)
{
    return term_kind(t, x) < T_ADDR;
}

// A fact about one unknown, or a comparison of one unknown with a number, is exactly what the quick
// procedure decides.
static bool simple(const Terms *t, Term x)
{
    if (is_leaf(t, x)) return true;
    const TermNode *n = term_node(t, x);
    if (n->kind < T_EQ || n->kind > T_SLT) return n->kind == T_NOT && simple(t, (Term){n->a});
    return (is_leaf(t, (Term){n->a}) && term_is_int(t, (Term){n->b}, NULL)) ||
           (is_leaf(t, (Term){n->b}) && term_is_int(t, (Term){n->a}, NULL));
}

static bool look(void *context, uint64_t key, uint64_t value)
{
    Question *q = context;
    (void)value;
    if (!simple(q->conds->terms, (Term){(uint32_t)key})) q->composed = true;
    return !q->composed;
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

static bool mentioned(const Question *q, Term x)
{
    return map_get(&q->made, subject(q->conds->terms, x).id) != NULL;
}

static bool assert_fact(void *context, uint64_t key, uint64_t value)
{
    Question *q = context;
    Term x = {(uint32_t)key};
    const Terms *t = q->conds->terms;
    uint32_t w = term_width(t, x);
    if (w == 0 || simple(t, x) != q->simple) return true;
    // Of an unknown that no composed fact mentions the quick procedure knows all there is.
    if (q->simple && !mentioned(q, x)) return true;
    const Range *r = cond_fact(q->conds, value);
    Z3_context z = q->s->z3;
    Z3_ast a = build(q, x);
    Z3_solver s = q->s->solver;
    int64_t v;
    if (range_single(r, w, &v)) {
        Z3_solver_assert(z, s, Z3_mk_eq(z, a, number(q, w, v)));
        return true;
    }
    int64_t top = w >= 64 ? INT64_MAX : ((int64_t)1 << (w - 1)) - 1;
    uint64_t all = w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
    if (w > 1) {
        if (r->smin > -top - 1) Z3_solver_assert(z, s, Z3_mk_bvsge(z, a, number(q, w, r->smin)));
        if (r->smax < top) Z3_solver_assert(z, s, Z3_mk_bvsle(z, a, number(q, w, r->smax)));
        if (r->umin > 0) Z3_solver_assert(z, s, Z3_mk_bvuge(z, a, number(q, w, (int64_t)r->umin)));
        if (r->umax < all)
            Z3_solver_assert(z, s, Z3_mk_bvule(z, a, number(q, w, (int64_t)r->umax)));
    }
    for (uint32_t i = 0; i < r->not_count; i++)
        Z3_solver_assert(z, s, Z3_mk_not(z, Z3_mk_eq(z, a, number(q, w, r->not [i]))));
    return true;
}

bool solve_possible(Solver *s, const Conds *c, PMap facts)
{
    Question q = {.s = s, .conds = c};
    pmap_each(facts, look, &q);
    if (!q.composed || pmap_size(facts) > MAX_FACTS) return true;
    start(s);
    s->questions++;
    Z3_solver_push(s->z3, s->solver);
    pmap_each(facts, assert_fact, &q);
    q.simple = true;
    pmap_each(facts, assert_fact, &q);
    Z3_lbool answer = Z3_solver_check(s->z3, s->solver);
    Z3_solver_pop(s->z3, s->solver, 1);
    map_free(&q.made);
    return answer != Z3_L_FALSE;
}
