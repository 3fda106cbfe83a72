// The persistent map against an array, with random updates.
#include "base/pmap.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 200 };

typedef struct {
    uint64_t last;
    uint32_t count;
    bool sorted;
} Walk;

static bool in_order(void *context, uint64_t key, uint64_t value)
{
    Walk *w = context;
    (void)value;
    if (w->count && key <= w->last) w->sorted = false;
    w->last = key;
    w->count++;
    return true;
}

typedef uint64_t KeyOf(uint64_t number);

// Dense, spread over all bits, and fields of objects: the shapes differ.
static uint64_t plain_key(uint64_t number)
{
    return number;
}

static uint64_t spread_key(uint64_t number)
{
    return number ? number == 1 ? UINT64_MAX : hash_mix(number, 9) : 0;
}

static uint64_t field_key(uint64_t number)
{
    return (number / 7 * 5) << 32 | number % 7 * 8;
}

typedef struct {
    KeyOf *key_of;
    const uint64_t *a, *b;
    uint32_t count;
    uint64_t last;
} Compared;

static bool is_difference(void *context, uint64_t key, uint64_t in_a, uint64_t in_b, int has)
{
    Compared *c = context;
    uint64_t n = 0;
    while (c->key_of(n) != key) n++;
    assert_true(n < KEYS);
    assert_int_equal(has, (c->a[n] ? 1 : 0) | (c->b[n] ? 2 : 0));
    if (has & 1) assert_int_equal(in_a, c->a[n]);
    if (has & 2) assert_int_equal(in_b, c->b[n]);
    assert_true(c->a[n] != c->b[n]);
    assert_true(!c->count || key > c->last); // ascending
    c->last = key;
    c->count++;
    return true;
}

static void compare(KeyOf *key_of, PMap m, const uint64_t *a, PMap other, const uint64_t *b)
{
    uint32_t differences = 0;
    for (uint64_t n = 0; n < KEYS; n++) differences += a[n] != b[n];
    Compared c = {key_of, a, b, 0, 0};
    pmap_diff(m, other, is_difference, &c);
    assert_int_equal(c.count, differences);
    c = (Compared){key_of, b, a, 0, 0};
    pmap_diff(other, m, is_difference, &c);
    assert_int_equal(c.count, differences);
}

static void range_agrees(KeyOf *key_of, PMap m, const uint64_t *model, uint64_t x, uint64_t y)
{
    uint64_t low = x < y ? x : y, high = x < y ? y : x;
    uint32_t count = 0;
    for (uint64_t n = 0; n < KEYS; n++) count += model[n] && key_of(n) >= low && key_of(n) <= high;
    Walk w = {0, 0, true};
    pmap_range(m, low, high, in_order, &w);
    assert_true(w.sorted);
    assert_int_equal(w.count, count);
}

// `drops` of ten updates take a key out: few make large maps, many small ones.
static void walk_along(KeyOf *key_of, uint64_t drops, uint64_t seed)
{
    Arena *a = arena_new("pmap");
    uint64_t model[KEYS] = {0}, old_model[KEYS] = {0}; // 0: absent
    PMap m = NULL, old = NULL;
    for (int step = 0; step < 4000; step++) {
        seed = hash_mix(seed, (uint64_t)step);
        uint64_t n = seed % KEYS, value = 1 + (seed >> 32) % 5;
        if ((seed >> 20) % 10 < drops)
            m = pmap_drop(a, m, key_of(n)), model[n] = 0;
        else
            m = pmap_set(a, m, key_of(n), value), model[n] = value;
        if (step % 37 == 0) compare(key_of, m, model, old, old_model);
        if (step % 31 == 0)
            range_agrees(key_of, m, model, key_of(n) + seed % 3 - 1, key_of((seed >> 40) % KEYS));
        if (step % 500 == 0) old = m, memcpy(old_model, model, sizeof model);
    }
    uint32_t size = 0;
    for (uint64_t n = 0; n < KEYS; n++) {
        uint64_t v = 0;
        assert_int_equal(pmap_get(m, key_of(n), &v), model[n] != 0);
        assert_int_equal(v, model[n]);
        v = 0;
        pmap_get(old, key_of(n), &v);
        assert_int_equal(v, old_model[n]); // the old map is as it was
        size += model[n] != 0;
    }
    assert_int_equal(pmap_size(m), size);
    range_agrees(key_of, m, model, 0, UINT64_MAX);
    assert_true(m == pmap_drop(a, m, key_of(KEYS))); // nothing to be dropped: the same map
    // Another order of insertion: the same map.
    PMap again = NULL;
    for (uint64_t n = KEYS; n-- > 0;)
        if (model[n]) again = pmap_set(a, again, key_of(n), model[n]);
    assert_true(pmap_same(m, again));
    compare(key_of, m, model, again, model);
    again = pmap_set(a, again, key_of(3), 99);
    assert_false(pmap_same(m, again));
    arena_free(a);
}

static void agrees_with_an_array(void **state)
{
    (void)state;
    KeyOf *keys[] = {plain_key, spread_key, field_key};
    for (uint64_t drops = 1; drops <= 9; drops += 2)
        for (int i = 0; i < 3; i++) walk_along(keys[i], drops, drops * 3 + (uint64_t)i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_an_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
