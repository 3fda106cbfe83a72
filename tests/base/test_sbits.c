// Sparse sets against dense ones.
#include "base/bits.h"
#include "base/sbits.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

enum { LIMIT = 5000 };

static uint32_t next_random(uint32_t *s)
{
    return *s = *s * 1664525u + 1013904223u, *s >> 8;
}

static void check_same(const SBits *s, const Bits *b)
{
    uint32_t i, count = 0, last = 0;
    for (SIter it = sbits_iter(s); sbits_step(&it, &i); last = i) {
        assert_true(bits_has(b, i));
        assert_true(count++ == 0 || i > last);
    }
    assert_int_equal(count, bits_size(b));
    assert_int_equal(sbits_size(s), count);
    for (uint32_t k = 0; k < LIMIT; k += 7) {
        assert_int_equal(sbits_has(s, k), bits_has(b, k));
        uint32_t next = bits_next(b, k);
        assert_int_equal(sbits_next(s, k), next == b->count ? UINT32_MAX : next);
    }
}

static void test_random(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    uint32_t seed = 1;
    for (int round = 0; round < 300; round++) {
        SBits x = {0}, y = {0}, fresh = {0};
        Bits dx = bits_new(a, LIMIT), dy = bits_new(a, LIMIT);
        uint32_t n = next_random(&seed) % 60, m = next_random(&seed) % 60;
        uint32_t span = round % 3 ? LIMIT : 100;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = next_random(&seed) % span;
            assert_int_equal(sbits_add(&x, v), bits_add(&dx, v));
        }
        if (round % 4 == 0) m %= 4; // a few beside many
        for (uint32_t i = 0; i < m; i++) {
            uint32_t v = next_random(&seed) % span;
            if (round % 5 == 0 && n) v = sbits_next(&x, 0) + v % 3 * (v % 2); // often in x
            sbits_add(&y, v);
            bits_add(&dy, v);
        }
        check_same(&x, &dx);
        bool meet = false;
        bits_each (i, &dx) meet |= bits_has(&dy, i);
        assert_int_equal(sbits_meet(&x, &y), meet);
        SBits copy = sbits_copy(&x);
        assert_true(sbits_same(&copy, &x));
        assert_int_equal(sbits_hash(&copy), sbits_hash(&x));
        bool grew = bits_union(&dx, &dy);
        assert_int_equal(sbits_covers(&x, &y), !grew);
        assert_int_equal(sbits_union(&x, &y), grew);
        check_same(&x, &dx);
        assert_int_equal(sbits_union_fresh(&copy, &y, &fresh), grew);
        assert_true(sbits_same(&copy, &x));
        assert_int_equal(sbits_same(&fresh, &(SBits){0}), !grew);
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t v = next_random(&seed) % span;
            sbits_drop(&x, v);
            bits_drop(&dx, v);
        }
        check_same(&x, &dx);
        sbits_clear(&x);
        sbits_clear(&y);
        sbits_clear(&copy);
        sbits_clear(&fresh);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
