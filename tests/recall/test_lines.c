// A line is found again by its place, and a place does not change with what is put in before the last call or branch.
#include "recall/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { LAST = 400, CODE = 1, CALL = 2, BRANCH = 4 };

static uint32_t next_random(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}

static Lines lines_of(Arena *a, const uint8_t *what, uint32_t last)
{
    Lines l = {.last = last};
    lines_begin(&l, a);
    for (uint32_t i = 1; i <= last; i++) {
        if (what[i] & CODE) lines_add(&l.code, i);
        if (what[i] & CALL) lines_add(&l.calls, i);
        if (what[i] & BRANCH) lines_add(&l.branches, i);
    }
    lines_close(&l);
    return l;
}

static bool same(LinePlace x, LinePlace y)
{
    return x.calls == y.calls && x.branches == y.branches && x.line == y.line;
}

static void test_found_again(void **state)
{
    (void)state;
    uint32_t seed = 5;
    for (int n = 0; n < 200; n++) {
        Arena *a = arena_new("test");
        uint8_t what[LAST + 2] = {0}, after[LAST + 2] = {0};
        for (uint32_t i = 1; i <= LAST; i++) {
            uint32_t r = next_random(&seed) % 8;
            what[i] = r < 3 ? 0 : r == 3 ? CODE | CALL : r == 4 ? CODE | BRANCH : r == 5 ? CODE | CALL | BRANCH : CODE;
        }
        uint32_t first = 1 + next_random(&seed) % 20, put = first + 1 + next_random(&seed) % 300;
        what[first] |= CODE;
        Lines l = lines_of(a, what, LAST);
        // One more line at `put`, with code or without.
        bool code = next_random(&seed) & 1;
        for (uint32_t i = 1; i <= LAST; i++) after[i + (i >= put)] = what[i];
        after[put] = code ? CODE : 0;
        Lines m = lines_of(a, after, LAST + 1);
        bool passed = false; // a call behind the new line
        for (uint32_t i = first; i <= LAST; i++) {
            LinePlace p = lines_place(&l, first, i);
            assert_int_equal(lines_find(&l, first, p), i);
            if (!(what[i] & CODE)) continue;
            passed |= i >= put && what[i] & CALL;
            LinePlace q = lines_place(&m, first, i + (i >= put));
            if (i < put || !code || passed) assert_true(same(p, q));
        }
        arena_free(a);
    }
}

// What a damaged or older result says is no line.
static void test_too_far(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    uint8_t what[] = {0, CODE, CODE | CALL, 0, CODE};
    Lines l = lines_of(a, what, 4);
    assert_int_equal(lines_find(&l, 1, (LinePlace){2, 0, 0}), 0);
    assert_int_equal(lines_find(&l, 1, (LinePlace){1, 1, 0}), 0);
    assert_int_equal(lines_find(&l, 1, (LinePlace){0, 0, 9}), 0);
    assert_int_equal(lines_find(&l, 1, (LinePlace){0, 0, -1}), 0);
    assert_int_equal(lines_find(&l, 1, (LinePlace){UINT32_MAX, 0, 0}), 0);
    assert_int_equal(lines_find(&l, 1, (LinePlace){1, 0, 1}), 4);
    assert_int_equal(lines_find(&l, 1, lines_place(&l, 1, 3)), 3);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found_again), cmocka_unit_test(test_too_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
