#include "logic/solve.h"

#include "logic/limits.h"
#include "logic/search.h"

#include <z3.h>

struct Solver {
    Z3_context z3;
    Z3_solver solver;
    uint64_t questions;
};

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

static Z3_ast number(Z3_context z, uint32_t width, int64_t v)
{
    return Z3_mk_int64(z, v, Z3_mk_bv_sort(z, width));
}

static Z3_ast from_bool(Z3_context z, Z3_ast b)
{
    return Z3_mk_ite(z, b, number(z, 1, 1), number(z, 1, 0));
}

static Z3_ast build(Z3_context z, const Question *q, const AskedNode *n, const Z3_ast *made)
{
    uint32_t w = n->width, from = q->nodes.at[n->a].width;
    Z3_ast a = made[n->a], b = made[n->b];
    switch ((TermKind)n->kind) {
    case T_INT:
        return number(z, w, n->number);
    case T_ADDR:
        a = Z3_mk_bvadd(z, a, number(z, w, n->number));
        return n->b ? Z3_mk_bvadd(z, a, b) : a;
    case T_ADD:
        return Z3_mk_bvadd(z, a, b);
    case T_MUL:
        return Z3_mk_bvmul(z, a, b);
    case T_UDIV:
        return Z3_mk_bvudiv(z, a, b);
    case T_SDIV:
        return Z3_mk_bvsdiv(z, a, b);
    case T_UREM:
        return Z3_mk_bvurem(z, a, b);
    case T_SREM:
        return Z3_mk_bvsrem(z, a, b);
    case T_SHL:
        return Z3_mk_bvshl(z, a, b);
    case T_LSHR:
        return Z3_mk_bvlshr(z, a, b);
    case T_ASHR:
        return Z3_mk_bvashr(z, a, b);
    case T_AND:
        return Z3_mk_bvand(z, a, b);
    case T_OR:
        return Z3_mk_bvor(z, a, b);
    case T_XOR:
        return Z3_mk_bvxor(z, a, b);
    case T_TRUNC:
        return Z3_mk_extract(z, w - 1, 0, a);
    case T_ZEXT:
        return Z3_mk_zero_ext(z, w - from, a);
    case T_SEXT:
        return Z3_mk_sign_ext(z, w - from, a);
    case T_NOT:
        return Z3_mk_bvnot(z, a);
    case T_EQ:
        return from_bool(z, Z3_mk_eq(z, a, b));
    case T_ULT:
        return from_bool(z, Z3_mk_bvult(z, a, b));
    case T_SLT:
        return from_bool(z, Z3_mk_bvslt(z, a, b));
    case T_ITE:
        return Z3_mk_ite(z, Z3_mk_eq(z, a, number(z, 1, 1)), b, made[n->c]);
    default:
        return Z3_mk_const(z, Z3_mk_int_symbol(z, (int)n->term.id), Z3_mk_bv_sort(z, w));
    }
}

static void assert_fact(Solver *of, Z3_ast a, uint32_t w, const Range *r)
{
    Z3_context z = of->z3;
    Z3_solver s = of->solver;
    int64_t v;
    if (range_single(r, w, &v)) {
        Z3_solver_assert(z, s, Z3_mk_eq(z, a, number(z, w, v)));
        return;
    }
    int64_t top = w >= 64 ? INT64_MAX : ((int64_t)1 << (w - 1)) - 1;
    uint64_t all = w >= 64 ? UINT64_MAX : ((uint64_t)1 << w) - 1;
    if (w > 1) {
        if (r->smin > -top - 1) Z3_solver_assert(z, s, Z3_mk_bvsge(z, a, number(z, w, r->smin)));
        if (r->smax < top) Z3_solver_assert(z, s, Z3_mk_bvsle(z, a, number(z, w, r->smax)));
        if (r->umin > 0) Z3_solver_assert(z, s, Z3_mk_bvuge(z, a, number(z, w, (int64_t)r->umin)));
        if (r->umax < all)
            Z3_solver_assert(z, s, Z3_mk_bvule(z, a, number(z, w, (int64_t)r->umax)));
    }
    for (uint32_t i = 0; i < r->not_count; i++)
        Z3_solver_assert(z, s, Z3_mk_not(z, Z3_mk_eq(z, a, number(z, w, r->not [i]))));
}

// Numbers go to `values` where it is not null.
static Z3_lbool ask(Solver *s, const Question *q, uint64_t *values)
{
    start(s);
    Z3_solver_push(s->z3, s->solver);
    Z3_ast *made = mem_alloc(q->nodes.len * sizeof *made);
    for (uint32_t i = 1; i < q->nodes.len; i++) made[i] = build(s->z3, q, &q->nodes.at[i], made);
    vec_each (i, &q->facts) {
        const AskedFact *f = &q->facts.at[i];
        assert_fact(s, made[f->node], q->nodes.at[f->node].width, f->range);
    }
    vec_each (i, &q->sums) {
        const AskedNode *n = &q->nodes.at[q->sums.at[i]];
        Z3_solver_assert(s->z3, s->solver,
                         Z3_mk_bvadd_no_overflow(s->z3, made[n->a], made[n->b], false));
    }
    Z3_lbool answer = Z3_solver_check(s->z3, s->solver);
    if (values && answer == Z3_L_TRUE) {
        Z3_model m = Z3_solver_get_model(s->z3, s->solver);
        Z3_model_inc_ref(s->z3, m);
        for (uint32_t i = 1; i < q->nodes.len; i++) {
            Z3_ast v = NULL;
            if (!Z3_model_eval(s->z3, m, made[i], true, &v) ||
                !Z3_get_numeral_uint64(s->z3, v, &values[i]))
                answer = Z3_L_UNDEF;
        }
        Z3_model_dec_ref(s->z3, m);
    }
    Z3_solver_pop(s->z3, s->solver, 1);
    mem_free(made);
    return answer;
}

bool solve_ask(Solver *s, const Question *q)
{
    return ask(s, q, NULL) != Z3_L_FALSE;
}

bool solve_numbers(Solver *s, const Question *q, uint64_t *values)
{
    return ask(s, q, values) == Z3_L_TRUE;
}

bool solve_possible(Solver *s, const Conds *c, PMap facts)
{
    Question q;
    if (pmap_size(facts) > MAX_FACTS || !question_pose(&q, c, facts)) return true;
    s->questions++;
    bool possible = search_possible(&q) || solve_ask(s, &q);
    question_free(&q);
    return possible;
}
