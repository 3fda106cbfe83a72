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

static bool count_diff(void *context, uint64_t key, uint64_t a, uint64_t b, int has)
{
    (void)key, (void)a, (void)b, (void)has;
    ++*(uint32_t *)context;
    return true;
}

static void agrees_with_an_array(void **state)
{
    (void)state;
    Arena *a = arena_new("pmap");
    uint64_t model[KEYS] = {0}, seed = 7; // 0: absent
    PMap m = NULL, old = NULL;
    uint64_t old_model[KEYS] = {0};
    for (int step = 0; step < 20000; step++) {
        seed = hash_mix(seed, (uint64_t)step);
        uint64_t key = seed % KEYS, value = 1 + (seed >> 32) % 5;
        if ((seed >> 20) % 3 == 0)
            m = pmap_drop(a, m, key), model[key] = 0;
        else
            m = pmap_set(a, m, key, value), model[key] = value;
        if (step == 10000) old = m, memcpy(old_model, model, sizeof model);
    }
    uint32_t size = 0, differences = 0, seen = 0;
    for (uint64_t k = 0; k < KEYS; k++) {
        uint64_t v = 0;
        assert_int_equal(pmap_get(m, k, &v), model[k] != 0);
        assert_int_equal(v, model[k]);
        v = 0;
        pmap_get(old, k, &v);
        assert_int_equal(v, old_model[k]); // the old map is as it was
        size += model[k] != 0;
        differences += model[k] != old_model[k];
    }
    assert_int_equal(pmap_size(m), size);
    Walk w = {0, 0, true};
    pmap_each(m, in_order, &w);
    assert_true(w.sorted);
    assert_int_equal(w.count, size);
    pmap_diff(m, old, count_diff, &seen);
    assert_int_equal(seen, differences);
    // Another order of insertion: the same map.
    PMap again = NULL;
    for (uint64_t k = KEYS; k-- > 0;)
        if (model[k]) again = pmap_set(a, again, k, model[k]);
    assert_true(pmap_same(m, again));
    again = pmap_set(a, again, 3, 99);
    assert_false(pmap_same(m, again));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_an_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
