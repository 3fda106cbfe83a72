// The 0-1 solver against brute force: the same constraints are found inconsistent, in order, and
// projections are the same.
#include "constraint/constraint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint32_t state = 12345;

static uint32_t roll(uint32_t n)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % n;
}

enum { VARS = 8, PRIOS = 3 };

static bool holds(const Constraint *c, uint32_t world)
{
    uint32_t row = 0;
    for (uint32_t k = 0; k < c->count; k++) row |= (world >> (c->vars[k] - 2) & 1) << k;
    return c->rows >> row & 1;
}

// Takes constraints by priority and place; `bad` gets those that leave no world.
static uint64_t worlds_left(const System *s, bool *bad, uint64_t worlds[4])
{
    for (uint32_t w = 0; w < 4; w++) worlds[w] = UINT64_MAX;
    uint64_t any = 0;
    for (uint32_t p = 0; p < PRIOS; p++)
        vec_each (i, &s->cons) {
            const Constraint *c = &s->cons.at[i];
            if (c->prio != p) continue;
            uint64_t next[4] = {0};
            any = 0;
            for (uint32_t w = 0; w < 256; w++)
                if ((worlds[w / 64] >> (w % 64) & 1) && holds(c, w)) {
                    next[w / 64] |= (uint64_t)1 << (w % 64);
                    any = 1;
                }
            bad[i] = !any;
            if (any) memcpy(worlds, next, sizeof next);
        }
    return any;
}

static void add_random(System *s, const uint32_t *vars, uint32_t kind)
{
    ConTag tag = con_tag((uint8_t)roll(PRIOS), 0, 0, 0);
    uint32_t a = vars[roll(VARS)], b = vars[roll(VARS)], c = vars[roll(VARS)];
    if (kind == 0)
        system_is(s, tag, a, roll(2));
    else if (kind == 1)
        system_equal(s, tag, a, b);
    else if (kind < 5)
        system_split(s, tag, a, b, c);
    else if (kind == 5)
        system_at_most(s, tag, a, b);
    else
        system_split(s, tag, a, VAR_ONE, b);
}

static void same_as_brute_force(void **unused)
{
    (void)unused;
    for (uint32_t round = 0; round < 3000; round++) {
        System s;
        system_init(&s);
        uint32_t vars[VARS];
        for (uint32_t i = 0; i < VARS; i++) vars[i] = system_var(&s);
        uint32_t count = 4 + roll(14);
        for (uint32_t i = 0; i < count; i++) add_random(&s, vars, roll(7));
        bool bad[64] = {0};
        uint64_t worlds[4];
        worlds_left(&s, bad, worlds);
        system_solve(&s, 1 + roll(PRIOS)); // in one go or in two
        system_solve(&s, PRIOS);
        vec_each (i, &s.cons) assert_int_equal(s.cons.at[i].excluded, bad[i]);
        // A projection to the first three variables of one component.
        uint32_t mine[3], n = 0, part = system_component(&s, vars[0]);
        for (uint32_t i = 0; i < VARS && n < 3; i++)
            if (system_component(&s, vars[i]) == part) mine[n++] = vars[i];
        uint64_t want = 0;
        for (uint32_t w = 0; w < 256; w++) {
            if (!(worlds[w / 64] >> (w % 64) & 1)) continue;
            uint32_t row = 0;
            for (uint32_t k = 0; k < n; k++) row |= (w >> (mine[k] - 2) & 1) << k;
            want |= (uint64_t)1 << row;
        }
        assert_true(system_project(&s, n, mine) == want);
        system_settle(&s);
        uint32_t world = 0;
        for (uint32_t i = 0; i < VARS; i++) world |= (uint32_t)system_value(&s, vars[i]) << i;
        assert_true(worlds[world / 64] >> (world % 64) & 1);
        system_free(&s);
    }
}

// Section 2.3 of the paper: p = new; q = p; delete q.
static void ownership_moves_with_the_assignment(void **unused)
{
    (void)unused;
    System s;
    system_init(&s);
    uint32_t p1 = system_var(&s), p2 = system_var(&s), q2 = system_var(&s), q3 = system_var(&s);
    ConTag fact = con_tag(0, 0, 0, 0), scope = con_tag(1, 0, 0, 0);
    system_is(&s, fact, p1, true);
    system_split(&s, fact, p1, q2, p2);
    system_split(&s, fact, q2, VAR_ONE, q3);
    system_is(&s, scope, p2, false);
    system_is(&s, scope, q3, false);
    system_solve(&s, 2);
    system_settle(&s);
    assert_int_equal(s.violations.len, 0);
    assert_true(system_value(&s, q2));
    assert_false(system_value(&s, p2));
    system_free(&s);
}

static void the_core_names_what_contradicts(void **unused)
{
    (void)unused;
    System s;
    system_init(&s);
    uint32_t a = system_var(&s), b = system_var(&s), c = system_var(&s), other = system_var(&s);
    system_is(&s, con_tag(0, 0, 0, 0), other, true);
    system_is(&s, con_tag(0, 0, 1, 0), a, true);
    system_split(&s, con_tag(0, 0, 2, 0), a, VAR_ONE, b); // freed
    system_split(&s, con_tag(0, 0, 3, 0), b, VAR_ONE, c); // freed again
    system_solve(&s, 1);
    assert_int_equal(s.violations.len, 1);
    const Violation *v = &s.violations.at[0];
    assert_true(v->exact);
    assert_int_equal(s.cons.at[v->con].place, 3);
    for (uint32_t i = 0; i < v->core_count; i++)
        assert_true(s.cons.at[s.cores.at[v->first_core + i]].place != 0);
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_brute_force),
        cmocka_unit_test(ownership_moves_with_the_assignment),
        cmocka_unit_test(the_core_names_what_contradicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
