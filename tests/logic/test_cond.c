// The quick decision procedure and Z3 behind it, against all inputs: three parameters of four bits
// are 4096 assignments, each of which either satisfies what was assumed or does not.
#include "random.h"

#include "logic/cond.h"
#include "logic/search.h"
#include "logic/solve.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

enum { BITS = 4, ALL = 1 << (BITS * INPUT_COUNT), ROUNDS = 600, ASSUMED = 4 };

static const Shape small = {{1, 3, BITS, 8}, 4, BITS};

typedef struct {
    bool at[ALL]; // assignments that satisfy everything assumed so far
} Alive;

static Inputs assignment(uint32_t n)
{
    Inputs in = {0};
    for (uint32_t i = 0; i < INPUT_COUNT; i++) in.at[i][BITS] = n >> (BITS * i) & mask_of(BITS);
    return in;
}

static Expr condition(Random *r, Terms *t, int depth)
{
    Expr e = {.len = 0};
    e.root = random_below(r, 4) ? expr_condition(r, t, &e, &small, depth)
                                : expr_of(r, t, &e, &small, 1, depth);
    return e;
}

static void report(const Expr *e, const char *what, uint32_t n)
{
    print_error("%s for the assignment %x: ", what, n);
    expr_print(e, e->root);
    print_error("\n");
    fail();
}

static bool inside(const Range *r, uint32_t width, uint64_t bits)
{
    int64_t s = width == 1 ? (int64_t)bits : signed_of(width, bits); // truth is 0 or 1
    if (s < r->smin || s > r->smax || bits < r->umin || bits > r->umax) return false;
    for (uint32_t i = 0; i < r->not_count; i++)
        if (r->not [i] == s) return false;
    return true;
}

typedef struct {
    Arena *arena;
    Terms terms;
    Conds conds;
    Solver *solver;
    Random random;
} World;

static World world_new(uint64_t seed)
{
    World w = {.arena = arena_new("test"), .solver = solver_new(), .random = {seed}};
    terms_init(&w.terms, 64);
    return w;
}

static void world_free(World *w)
{
    conds_free(&w->conds);
    solver_free(w->solver);
    terms_free(&w->terms);
    arena_free(w->arena);
}

// Assumes one random condition; false when the procedure says that nothing is left.
static bool assume_one(World *w, PMap *facts, Alive *alive)
{
    Expr e = condition(&w->random, &w->terms, 2);
    Term c = expr_term(&e);
    Truth known = cond_decide(&w->conds, *facts, c);
    bool truth = random_below(&w->random, 2);
    bool left = cond_assume(&w->conds, facts, c, truth);
    for (uint32_t n = 0; n < ALL; n++) {
        if (!alive->at[n]) continue;
        Inputs in = assignment(n);
        Value v = expr_value(&e, e.root, &in);
        if (!v.defined) {
            alive->at[n] = false;
            continue;
        }
        if (known == COND_TRUE && !v.bits) report(&e, "decided true, but is false", n);
        if (known == COND_FALSE && v.bits) report(&e, "decided false, but is true", n);
        if (!left && (v.bits != 0) == truth) report(&e, "found impossible, but holds", n);
        alive->at[n] = (v.bits != 0) == truth;
    }
    return left;
}

static void check_range(World *w, PMap facts, const Alive *alive)
{
    Expr e = expr_make(&w->random, &w->terms, &small, 2);
    Range r = cond_range(&w->conds, facts, expr_term(&e));
    for (uint32_t n = 0; n < ALL; n++) {
        if (!alive->at[n]) continue;
        Inputs in = assignment(n);
        Value v = expr_value(&e, e.root, &in);
        if (v.defined && !inside(&r, e.at[e.root].width, v.bits)) report(&e, "out of its range", n);
    }
}

static bool any(const Alive *alive)
{
    for (uint32_t n = 0; n < ALL; n++)
        if (alive->at[n]) return true;
    return false;
}

static void what_is_decided_holds_for_all_inputs(void **state)
{
    (void)state;
    World w = world_new(7);
    static Alive alive;
    uint32_t refuted = 0, missed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (round) conds_free(&w.conds);
        conds_init(&w.conds, w.arena, &w.terms);
        PMap facts = NULL;
        memset(&alive, 1, sizeof alive);
        bool left = true;
        for (int i = 0; i < ASSUMED && left; i++) {
            left = assume_one(&w, &facts, &alive);
            if (left) check_range(&w, facts, &alive);
        }
        if (!left) continue;
        bool possible = solve_possible(w.solver, &w.conds, facts);
        if (!possible && any(&alive)) fail_msg("the solver refutes what some input satisfies");
        refuted += !possible;
        missed += possible && !any(&alive);
    }
    // The solver sees what follows from several facts at once; undefined operations aside, nothing
    // of four bits is too hard for it.
    assert_true(refuted > 0);
    assert_true(missed <= refuted);
    world_free(&w);
}

typedef struct {
    World *w;
    const Inputs *in;
    bool holds;
} Facts;

static bool fact_holds(void *context, uint64_t key, uint64_t value)
{
    Facts *f = context;
    Term x = {(uint32_t)key};
    uint64_t bits = term_value(&f->w->terms, x, f->in);
    f->holds &= inside(cond_fact(&f->w->conds, value), term_width(&f->w->terms, x), bits);
    return true;
}

static void the_hull_holds_on_both_sides(void **state)
{
    (void)state;
    World w = world_new(11);
    static Alive common, sides[2];
    for (int round = 0; round < ROUNDS; round++) {
        if (round) conds_free(&w.conds);
        conds_init(&w.conds, w.arena, &w.terms);
        PMap facts = NULL, side[2];
        memset(&common, 1, sizeof common);
        if (!assume_one(&w, &facts, &common)) continue;
        bool left[2];
        for (int k = 0; k < 2; k++) {
            side[k] = facts;
            sides[k] = common;
            left[k] = assume_one(&w, &side[k], &sides[k]) && assume_one(&w, &side[k], &sides[k]);
        }
        if (!left[0] || !left[1]) continue;
        PMap both = cond_hull(&w.conds, side[0], side[1]);
        for (uint32_t n = 0; n < ALL; n++) {
            if (!sides[0].at[n] && !sides[1].at[n]) continue;
            Inputs in = assignment(n);
            Facts f = {&w, &in, true};
            pmap_each(both, fact_holds, &f);
            if (!f.holds) fail_msg("a fact of the hull does not hold for %x", n);
        }
    }
    world_free(&w);
}

static Term param(Terms *t, uint32_t width, uint32_t n)
{
    return term_leaf(t, T_PARAM, width, n, 0, 0, 0);
}

static void plain_tests_are_decided(void **state)
{
    (void)state;
    World w = world_new(1);
    conds_init(&w.conds, w.arena, &w.terms);
    Terms *t = &w.terms;
    PMap facts = NULL;
    Term n = param(t, 32, 0), p = param(t, 64, 1);
    Term ten = term_int(t, 32, 10), five = term_int(t, 32, 5);
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, n, five), true));
    assert_int_equal(cond_decide(&w.conds, facts, term_slt(t, n, ten)), COND_TRUE);
    assert_int_equal(cond_decide(&w.conds, facts, term_eq(t, n, ten)), COND_FALSE);
    assert_int_equal(cond_decide(&w.conds, facts, term_eq(t, n, term_int(t, 32, 4))), COND_UNKNOWN);
    // The same number seen as a wider one.
    Term wide = term_convert(t, T_SEXT, n, 64);
    assert_int_equal(cond_decide(&w.conds, facts, term_slt(t, term_int(t, 64, 7), wide)),
                     COND_FALSE);
    assert_true(cond_assume(&w.conds, &facts, term_eq(t, p, term_null(t)), false));
    assert_int_equal(cond_decide(&w.conds, facts, term_eq(t, p, term_null(t))), COND_FALSE);
    PMap copy = facts;
    assert_false(cond_assume(&w.conds, &copy, term_eq(t, p, term_null(t)), true));
    world_free(&w);
}

// What is known of so many bytes is known of how many elements there are, where their product cannot wrap.
static void a_product_says_something_of_its_factor(void **state)
{
    (void)state;
    World w = world_new(1);
    conds_init(&w.conds, w.arena, &w.terms);
    Terms *t = &w.terms;
    PMap facts = NULL;
    Term n = param(t, 32, 0), none = term_int(t, 32, 0), zero = term_int(t, 64, 0);
    Term bytes = term_binary(t, T_MUL, term_convert(t, T_SEXT, n, 64), term_int(t, 64, 8));
    Term more = term_field(t, bytes, 16);
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, bytes, zero), false));
    assert_int_equal(cond_decide(&w.conds, facts, term_slt(t, n, none)), COND_FALSE);
    assert_int_equal(cond_decide(&w.conds, facts, term_eq(t, n, none)), COND_UNKNOWN);
    assert_true(cond_assume(&w.conds, &facts, term_eq(t, bytes, zero), false));
    assert_int_equal(cond_decide(&w.conds, facts, term_eq(t, n, none)), COND_FALSE);
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, more, term_int(t, 64, 40)), true));
    assert_int_equal(cond_decide(&w.conds, facts, term_slt(t, n, term_int(t, 32, 3))), COND_TRUE);
    // Where it may wrap nothing follows.
    Term wide = param(t, 64, 1);
    Term product = term_binary(t, T_MUL, wide, term_int(t, 64, 8));
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, product, zero), false));
    assert_int_equal(cond_decide(&w.conds, facts, term_slt(t, wide, zero)), COND_UNKNOWN);
    world_free(&w);
}

static void a_cycle_of_comparisons_is_impossible(void **state)
{
    (void)state;
    World w = world_new(1);
    conds_init(&w.conds, w.arena, &w.terms);
    Terms *t = &w.terms;
    Term x = param(t, 32, 0), y = param(t, 32, 1), z = param(t, 32, 2);
    PMap facts = NULL;
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, x, y), true));
    assert_true(cond_assume(&w.conds, &facts, term_slt(t, y, z), true));
    assert_true(solve_possible(w.solver, &w.conds, facts));
    if (cond_assume(&w.conds, &facts, term_slt(t, z, x), true))
        assert_false(solve_possible(w.solver, &w.conds, facts));
    world_free(&w);
}

// Numbers that were guessed are numbers with which all facts hold: what they show Z3 finds possible
// too. And they are found for nearly all that is possible.
static void what_is_guessed_is_possible(void **state)
{
    (void)state;
    World w = world_new(5);
    static Alive alive;
    uint32_t guessed = 0, possible = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (round) conds_free(&w.conds);
        conds_init(&w.conds, w.arena, &w.terms);
        PMap facts = NULL;
        bool left = true;
        memset(&alive, 1, sizeof alive);
        for (int i = 0; i < ASSUMED && left; i++) left = assume_one(&w, &facts, &alive);
        Question q;
        if (!left || !question_pose(&q, &w.conds, facts)) continue;
        bool found = search_possible(&q), found_again = search_possible(&q);
        bool asked = solve_ask(w.solver, &q);
        assert_int_equal(found, found_again);
        if (found && !asked) fail_msg("guessed, but Z3 finds it impossible");
        guessed += found;
        possible += asked;
        question_free(&q);
    }
    assert_true(possible > 100);
    assert_true(guessed * 10 > possible * 9);
    world_free(&w);
}

// Wide numbers, which the search has to go towards: no enumeration finds them.
static void wide_numbers_are_guessed(void **state)
{
    (void)state;
    World w = world_new(1);
    conds_init(&w.conds, w.arena, &w.terms);
    Terms *t = &w.terms;
    Term n = param(t, 32, 0), size = param(t, 64, 1), p = param(t, 64, 2);
    PMap facts = NULL;
    // 24 * n + 16 == size, size is at least 64 KiB, n is odd, p + size > p + 70000.
    Term wide = term_convert(t, T_SEXT, n, 64);
    Term bytes = term_binary(t, T_ADD, term_binary(t, T_MUL, wide, term_int(t, 64, 24)),
                             term_int(t, 64, 16));
    Term odd = term_eq(t, term_binary(t, T_AND, n, term_int(t, 32, 1)), term_int(t, 32, 1));
    assert_true(cond_assume(&w.conds, &facts, term_eq(t, bytes, size), true));
    assert_true(cond_assume(&w.conds, &facts, term_ult(t, size, term_int(t, 64, 65536)), false));
    assert_true(cond_assume(&w.conds, &facts, odd, true));
    assert_true(cond_assume(
        &w.conds, &facts,
        term_ult(t, term_binary(t, T_ADD, p, term_int(t, 64, 70000)), term_index(t, p, size, 1)),
        true));
    Question q;
    assert_true(question_pose(&q, &w.conds, facts));
    assert_true(search_possible(&q));
    assert_true(solve_ask(w.solver, &q));
    question_free(&q);
    // And that it is even: impossible, so nothing is guessed.
    Term twice = term_eq(t, n, term_binary(t, T_MUL, param(t, 32, 3), term_int(t, 32, 2)));
    assert_true(cond_assume(&w.conds, &facts, twice, true));
    assert_true(question_pose(&q, &w.conds, facts));
    assert_false(search_possible(&q));
    assert_false(solve_ask(w.solver, &q));
    question_free(&q);
    world_free(&w);
}

static void masks_and_wrapping_are_seen(void **state)
{
    (void)state;
    World w = world_new(1);
    conds_init(&w.conds, w.arena, &w.terms);
    Terms *t = &w.terms;
    Term x = param(t, 32, 0), y = param(t, 32, 1);
    // x & 1 is 1 and x is twice something.
    PMap facts = NULL;
    Term odd = term_eq(t, term_binary(t, T_AND, x, term_int(t, 32, 1)), term_int(t, 32, 1));
    Term even = term_eq(t, x, term_binary(t, T_MUL, y, term_int(t, 32, 2)));
    assert_true(cond_assume(&w.conds, &facts, odd, true));
    assert_true(cond_assume(&w.conds, &facts, even, true));
    assert_false(solve_possible(w.solver, &w.conds, facts));
    // x + 1 < x is possible for the machine's unsigned numbers.
    facts = NULL;
    Term more = term_binary(t, T_ADD, x, term_int(t, 32, 1));
    assert_true(cond_assume(&w.conds, &facts, term_ult(t, more, x), true));
    assert_true(solve_possible(w.solver, &w.conds, facts));
    assert_true(solver_questions(w.solver) >= 2);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_decided_holds_for_all_inputs),
        cmocka_unit_test(the_hull_holds_on_both_sides),
        cmocka_unit_test(plain_tests_are_decided),
        cmocka_unit_test(a_product_says_something_of_its_factor),
        cmocka_unit_test(a_cycle_of_comparisons_is_impossible),
        cmocka_unit_test(what_is_guessed_is_possible),
        cmocka_unit_test(wide_numbers_are_guessed),
        cmocka_unit_test(masks_and_wrapping_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
