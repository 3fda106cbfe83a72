// Terms against their meaning: whatever a term is simplified to, it has the value that the
// operations themselves give, on random expressions of all widths and random inputs.
#include "random.h"

#include "logic/term.h"

#include <setjmp.h>

#include <cmocka.h>

// The rules are exact for integers; those for values as wide as a pointer take an address to be one
// (blocks are aligned, sizes do not wrap), so each width is tried where it is not a pointer's.
static void agrees(uint64_t seed, uint32_t pointer_bits)
{
    Random r = {seed};
    Terms t;
    Shape shape = {{1, 8, 16, pointer_bits == 64 ? 32 : 64}, 4, 0};
    terms_init(&t, pointer_bits);
    for (int round = 0; round < 4000; round++) {
        Expr e = expr_make(&r, &t, &shape, 4);
        for (int sample = 0; sample < 12; sample++) {
            Inputs in = inputs_random(&r);
            Value want = expr_value(&e, e.root, &in);
            if (!want.defined) continue;
            uint64_t got = term_value(&t, expr_term(&e), &in);
            if (got != want.bits) {
                print_error("seed %llu: %s is %llx, not %llx\n", (unsigned long long)seed,
                            term_kind_text(term_kind(&t, expr_term(&e))), (unsigned long long)got,
                            (unsigned long long)want.bits);
                expr_print(&e, e.root);
                print_error("\n");
                fail();
            }
        }
    }
    terms_free(&t);
}

static void simplified_terms_keep_their_value(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        agrees(seed, 64);
        agrees(seed, 32);
    }
}

static Term param(Terms *t, uint32_t width, uint32_t n)
{
    return term_leaf(t, T_PARAM, width, n, 0, 0, 0);
}

static void equal_terms_are_one(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term x = param(&t, 32, 0), y = param(&t, 32, 1);
    assert_int_equal(term_binary(&t, T_ADD, x, y).id, term_binary(&t, T_ADD, y, x).id);
    Term one = term_int(&t, 32, 1), two = term_int(&t, 32, 2), three = term_int(&t, 32, 3);
    assert_int_equal(term_binary(&t, T_ADD, term_binary(&t, T_ADD, x, one), two).id,
                     term_binary(&t, T_ADD, x, three).id);
    assert_int_equal(term_sub(&t, x, x).id, term_int(&t, 32, 0).id);
    assert_int_equal(term_not(&t, term_not(&t, term_eq(&t, x, y))).id, term_eq(&t, y, x).id);
    // A narrow view of a widened value is the value.
    Term wide = term_convert(&t, T_SEXT, x, 64);
    assert_int_equal(term_convert(&t, T_TRUNC, wide, 32).id, x.id);
    terms_free(&t);
}

static void addresses_are_base_and_offset(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term p = param(&t, 64, 0), i = param(&t, 32, 1);
    assert_int_equal(term_field(&t, term_field(&t, p, 8), -8).id, p.id);
    // a[i + 1] is one element behind a[i].
    Term next = term_index(
        &t, p, term_binary(&t, T_ADD, term_convert(&t, T_SEXT, i, 64), term_int(&t, 64, 1)), 4);
    Term same = term_field(&t, term_index(&t, p, i, 4), 4);
    assert_int_equal(next.id, same.id);
    Address a = term_address(&t, next);
    assert_int_equal(a.base.id, p.id);
    assert_int_equal(a.offset, 4);
    terms_free(&t);
}

static void objects_differ_from_each_other(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term heap = term_leaf(&t, T_HEAP, 64, 1, 0, 0, 0),
         other = term_leaf(&t, T_HEAP, 64, 2, 0, 0, 0);
    Term global = term_leaf(&t, T_GLOBAL, 64, 1, 0, 0, 0), p = param(&t, 64, 0);
    Term no = term_int(&t, 1, 0);
    assert_int_equal(term_eq(&t, heap, other).id, no.id);
    assert_int_equal(term_eq(&t, heap, global).id, no.id);
    assert_int_equal(term_eq(&t, heap, p).id, no.id); // made after p was handed in
    assert_int_equal(term_eq(&t, global, term_null(&t)).id, no.id);
    assert_int_equal(term_eq(&t, term_field(&t, heap, 8), term_null(&t)).id, no.id);
    // The allocation may have failed, and the argument may be the global.
    assert_false(term_is_int(&t, term_eq(&t, heap, term_null(&t)), NULL));
    assert_false(term_is_int(&t, term_eq(&t, global, p), NULL));
    terms_free(&t);
}

// A reference count as wide as a pointer is no pointer: --refs == 0 when refs was 1.
static void a_wide_count_may_reach_zero(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term refs = term_leaf(&t, T_INPUT, 64, param(&t, 64, 0).id, 0, 0, 0);
    Term less = term_binary(&t, T_ADD, refs, term_int(&t, 64, -1));
    assert_int_equal(term_eq(&t, less, term_null(&t)).id,
                     term_eq(&t, refs, term_int(&t, 64, 1)).id);
    Term rest = term_sub(&t, less, param(&t, 64, 1));
    assert_false(term_is_int(&t, term_eq(&t, rest, term_null(&t)), NULL));
    // Rounded up, a size is no longer itself.
    Term up = term_binary(&t, T_AND, term_binary(&t, T_ADD, refs, term_int(&t, 64, 7)),
                          term_int(&t, 64, ~(int64_t)7));
    assert_int_not_equal(up.id, refs.id);
    terms_free(&t);
}

static void tags_come_off_again(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term heap = term_leaf(&t, T_HEAP, 64, 1, 0, 0, 0);
    Term tagged = term_binary(&t, T_OR, heap, term_int(&t, 64, 1));
    assert_int_equal(term_binary(&t, T_AND, tagged, term_int(&t, 64, ~(int64_t)7)).id, heap.id);
    assert_int_equal(term_binary(&t, T_AND, tagged, term_int(&t, 64, 1)).id,
                     term_int(&t, 64, 1).id);
    assert_int_equal(term_binary(&t, T_AND, heap, term_int(&t, 64, 1)).id, term_int(&t, 64, 0).id);
    terms_free(&t);
}

static void count_base(void *context, Term base)
{
    (void)base;
    ++*(uint32_t *)context;
}

static void bases_are_found_inside(void **state)
{
    (void)state;
    Terms t;
    terms_init(&t, 64);
    Term heap = term_leaf(&t, T_HEAP, 64, 1, 0, 0, 0), p = param(&t, 64, 0);
    Term choice = term_ite(&t, term_eq(&t, param(&t, 32, 1), term_int(&t, 32, 0)), heap,
                           term_field(&t, p, 16));
    uint32_t count = 0;
    term_each_base(&t, choice, count_base, &count);
    assert_int_equal(count, 2);
    count = 0;
    term_each_base(&t, term_eq(&t, p, term_null(&t)), count_base, &count);
    assert_int_equal(count, 0); // a comparison holds no address
    terms_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplified_terms_keep_their_value),
        cmocka_unit_test(equal_terms_are_one),
        cmocka_unit_test(addresses_are_base_and_offset),
        cmocka_unit_test(objects_differ_from_each_other),
        cmocka_unit_test(a_wide_count_may_reach_zero),
        cmocka_unit_test(tags_come_off_again),
        cmocka_unit_test(bases_are_found_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
