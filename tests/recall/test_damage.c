// What earlier runs left is not trusted: its bytes are changed at random, as if the seals fitted, and
// the evaluation reads it. It may take what it finds or evaluate anew, but every number that it
// takes must be one that it could have written itself. Undamaged, everything is taken.
//
//   UNITS="a.unit ..." ROUNDS=N SEED=N tests/recall/test_damage    on other programs, or for longer
#include "base/file.h"
#include "base/hash.h"
#include "eval/eval.h"
#include "points/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *a;
    Names *names;
    SpecTable *specs;
    VEC(const Unit *) units;
    Program *p;
    Points *points;
} Given;

static void add_unit(Given *g, const char *path)
{
    size_t len;
    const char *why = "cannot be read";
    char *bytes = file_read(path, 0, &len);
    Unit *u = bytes ? unit_read(bytes, len, &why) : NULL;
    mem_free(bytes);
    if (!u) fail_msg("%s: %s", path, why);
    vec_push(&g->units, u);
}

static void compile(Given *g, const char *name)
{
    const char *root = getenv("ROOT"), *stanch = getenv("STANCH"), *tmp = getenv("TMP");
    if (!root || !stanch || !tmp) fail_msg("ROOT, STANCH and TMP must be set");
    char *unit = mem_printf("%s/%s.unit", tmp, name);
    char *command =
        mem_printf("'%s' unit '%s/tests/leak/core/%s.c' -o '%s' --no-cache", stanch, root, name, unit);
    if (system(command) != 0) fail_msg("%s", command);
    add_unit(g, unit);
    mem_free(command);
    mem_free(unit);
}

static Given given(void)
{
    static const char *const sources[] = {"errpath",   "wrappers", "loop",     "realloc",
                                          "out_params", "alias",    "rounds",   "tagged_pointers",
                                          "wide_structs", "recursion"};
    Given g = {.a = arena_new("test"), .names = names_new()};
    char *models = mem_printf("%s/models", getenv("ROOT") ? getenv("ROOT") : ".");
    Diag d = {0};
    g.specs = spec_new(g.names);
    spec_add_dir(g.specs, models, SPEC_FROM_MODEL, &d);
    mem_free(models);
    const char *named = getenv("UNITS");
    if (named) {
        char *list = mem_strdup(named);
        for (char *save, *at = strtok_r(list, " ", &save); at; at = strtok_r(NULL, " ", &save))
            add_unit(&g, at);
        mem_free(list);
    } else {
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) compile(&g, sources[i]);
    }
    g.p = program_build(g.a, "", g.units.at, g.units.len);
    g.points = points_solve(g.p, g.specs);
    return g;
}

static void end(Given *g)
{
    points_free(g->points);
    program_free(g->p);
    vec_each (i, &g->units) unit_free((Unit *)g->units.at[i]);
    vec_free(&g->units);
    spec_free(g->specs);
    names_free(g->names);
    arena_free(g->a);
}

// Objects in the order in which they were stored.
typedef struct {
    Hash128 key;
    uint32_t at, len;
} Object;
typedef struct {
    VEC(Object) objects;
    Map index;
    Chars bytes;
    bool closed; // nothing is stored any more
} Memory;

static char *get(void *context, Hash128 key, size_t *len)
{
    Memory *m = context;
    const uint64_t *at = map_get(&m->index, key.high ^ key.low);
    if (!at) return NULL;
    const Object *o = &m->objects.at[*at];
    *len = o->len;
    char *bytes = mem_alloc(o->len + 1);
    memcpy(bytes, m->bytes.at + o->at, o->len);
    return bytes;
}

static void put(void *context, Hash128 key, const void *bytes, size_t len)
{
    Memory *m = context;
    if (m->closed) return;
    map_set(&m->index, key.high ^ key.low, m->objects.len);
    vec_push(&m->objects, ((Object){key, m->bytes.len, (uint32_t)len}));
    vec_append(&m->bytes, (const char *)bytes, len);
}

// Gives the functions taken from memory; the number of findings tells a run from another.
static uint32_t evaluate(const Given *g, Memory *memory, uint32_t *findings)
{
    RecallStore store = {.context = memory, .get = get, .put = put};
    EvalOptions o = {.specs = g->specs, .points = g->points, .threads = 1, .store = &store};
    o.step_budget = 20000; // of no use here: the bytes are the same for whoever reads them
    Findings *found = findings_new();
    Eval *e = eval_new(g->p, &o);
    eval_run(e, found);
    // As a caller would that has to be evaluated.
    for (uint32_t f = 1; f < g->p->funcs.len; f++) callee_summary(eval_callees(e), (FuncId){f});
    uint32_t recalled = eval_recalled(e);
    *findings = found->all.len;
    eval_free(e);
    findings_free(found);
    return recalled;
}

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    return hash_mix(*state, 0);
}

// A bit, a byte, a word of four that is small, large or that of another place.
static void damage(Chars *c, uint64_t *seed)
{
    static const uint32_t words[] = {0, 1, 2, 7, 8, 63, 64, 65, 127, 255, 65535, 1U << 31, UINT32_MAX};
    for (uint64_t n = 1 + next_random(seed) % 3; n; n--) {
        uint32_t at = (uint32_t)(next_random(seed) % (c->len - 4));
        uint64_t r = next_random(seed);
        if (r % 4 == 0) {
            c->at[at] ^= (char)(1 << (r >> 8) % 8);
        } else if (r % 4 == 1) {
            c->at[at] = (char)(r >> 8);
        } else if (r % 4 == 2) {
            memcpy(c->at + at, &words[(r >> 8) % (sizeof words / sizeof *words)], 4);
        } else {
            uint32_t from = (uint32_t)((r >> 8) % (c->len - 4));
            memmove(c->at + at, c->at + from, 4);
        }
    }
}

static void what_is_remembered_is_checked(void **state)
{
    (void)state;
    Given g = given();
    Memory memory = {0};
    uint32_t findings, again, functions = 0;
    assert_int_equal(evaluate(&g, &memory, &findings), 0);
    memory.closed = true;
    for (uint32_t f = 1; f < g.p->funcs.len; f++) functions += program_has_code(g.p, (FuncId){f});
    assert_true(findings > 0);
    assert_int_equal(evaluate(&g, &memory, &again), functions);
    assert_int_equal(again, findings);
    const char *rounds = getenv("ROUNDS"), *chosen = getenv("SEED");
    uint64_t seed = chosen ? strtoull(chosen, NULL, 10) : 15;
    uint32_t taken = 0, count = rounds ? (uint32_t)strtoul(rounds, NULL, 10) : 150;
    Chars whole = {0};
    vec_append(&whole, memory.bytes.at, memory.bytes.len);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(memory.bytes.at, whole.at, whole.len);
        damage(&memory.bytes, &seed);
        taken += evaluate(&g, &memory, &again);
    }
    // What is not damaged is taken all the same.
    if (count) assert_true(taken > count * (functions / 2));
    vec_free(&whole);
    vec_free(&memory.bytes);
    vec_free(&memory.objects);
    map_free(&memory.index);
    end(&g);
}

// Objects that are gone, of any kind: findings are those of a run without memory.
static void what_is_gone_is_evaluated(void **state)
{
    (void)state;
    Given g = given();
    Memory memory = {0};
    uint32_t findings, again;
    evaluate(&g, &memory, &findings);
    memory.closed = true;
    uint64_t seed = 20;
    for (uint32_t i = 0; i < 8; i++) {
        Map all = memory.index;
        memory.index = (Map){0};
        for (uint32_t k = 0; k < all.len; k++)
            if (next_random(&seed) % 8 > i) map_set(&memory.index, all.entries[k].key, all.entries[k].value);
        evaluate(&g, &memory, &again);
        assert_int_equal(again, findings);
        map_free(&memory.index);
        memory.index = all;
    }
    vec_free(&memory.bytes);
    vec_free(&memory.objects);
    map_free(&memory.index);
    end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_remembered_is_checked),
                                       cmocka_unit_test(what_is_gone_is_evaluated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
