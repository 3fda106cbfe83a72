// Dominators, post-dominators and loops against their definitions, on thousands of random graphs,
// and their cost on large ones.
#include "graph.h"
#include "unit/cfg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 24 };

// reach[v]: which nodes a walk from v reaches over one or more edges inside `within`. Node n is the
// virtual exit.
static void closure(const Graph *g, uint32_t within, uint32_t exits, uint32_t reach[MOST + 1])
{
    for (uint32_t v = 0; v < g->n; v++) {
        reach[v] = 0;
        if (!(within >> v & 1)) continue;
        vec_each (i, &g->succ[v]) reach[v] |= 1u << g->succ[v].at[i];
        if (exits >> v & 1) reach[v] |= 1u << g->n;
        reach[v] &= within;
    }
    reach[g->n] = 0;
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t v = 0; v < g->n; v++)
            for (uint32_t w = 0; w < g->n; w++)
                if (reach[v] >> w & 1 && (reach[v] | reach[w]) != reach[v]) {
                    reach[v] |= reach[w];
                    grew = true;
                }
    }
}

typedef struct {
    Graph g;
    uint32_t all, live; // nodes; those that node 0 reaches
    uint32_t exits;
    Cfg *c;
} Case;

static bool dominates(const Case *k, uint32_t a, uint32_t b) // both live
{
    uint32_t reach[MOST + 1];
    if (a == b || a == 0) return true;
    closure(&k->g, k->all & ~(1u << a), 0, reach);
    return !(reach[0] >> b & 1) && b != 0;
}

static bool post_dominates(const Case *k, uint32_t a, uint32_t b)
{
    uint32_t reach[MOST + 1];
    if (a == b) return true;
    closure(&k->g, (k->live | 1u << k->g.n) & ~(1u << a), k->exits, reach);
    return !(reach[b] >> k->g.n & 1);
}

static void check_dominators(const Case *k)
{
    for (uint32_t b = 0; b < k->g.n; b++) {
        bool live = k->live >> b & 1;
        assert_int_equal(k->c->position[b] != UINT32_MAX, live);
        uint32_t best = BLOCK_NONE, post = BLOCK_NONE;
        for (uint32_t a = 0; a < k->g.n; a++) {
            if (!live || !(k->live >> a & 1)) {
                assert_int_equal(cfg_dominates(k->c, a, b), a == b);
                continue;
            }
            assert_int_equal(cfg_dominates(k->c, a, b), dominates(k, a, b));
            if (a == b) continue;
            // the immediate one is that which all others dominate
            if (dominates(k, a, b) && (best == BLOCK_NONE || dominates(k, best, a))) best = a;
            if (post_dominates(k, a, b) && (post == BLOCK_NONE || post_dominates(k, post, a)))
                post = a;
        }
        assert_int_equal(k->c->idom[b], live ? best : BLOCK_NONE);
        assert_int_equal(k->c->ipdom[b], live ? post : BLOCK_NONE);
    }
}

static uint32_t members(const Cfg *c, uint32_t loop)
{
    uint32_t set = 0;
    const Loop *l = &c->loops[loop - 1];
    for (uint32_t i = 0; i < l->blocks.count; i++) set |= 1u << c->loop_blocks[l->blocks.first + i];
    return set;
}

// The loops directly inside `parent` (0: outermost) are the strongly connected components of
// `within` that have a cycle.
static void check_level(const Case *k, uint32_t parent, uint32_t within)
{
    uint32_t reach[MOST + 1], left = 0, loops = 0;
    closure(&k->g, within, 0, reach);
    for (uint32_t v = 0; v < k->g.n; v++)
        if (within >> v & 1 && reach[v] >> v & 1) left |= 1u << v;
    for (uint32_t l = 1; l <= k->c->loop_count; l++)
        if (k->c->loops[l - 1].parent == parent) loops++;
    while (left) {
        uint32_t v = (uint32_t)__builtin_ctz(left), component = 0, found = 0;
        for (uint32_t w = 0; w < k->g.n; w++)
            if (reach[v] >> w & 1 && reach[w] >> v & 1) component |= 1u << w;
        left &= ~component;
        for (uint32_t l = 1; l <= k->c->loop_count; l++)
            if (k->c->loops[l - 1].parent == parent && members(k->c, l) == component) found = l;
        assert_int_not_equal(found, 0);
        loops--;
        const Loop *loop = &k->c->loops[found - 1];
        assert_true(component >> loop->header & 1);
        assert_int_equal(k->c->loop_blocks[loop->blocks.first], loop->header);
        assert_int_equal(loop->depth, parent ? k->c->loops[parent - 1].depth + 1 : 1);
        bool other_entry = false;
        for (uint32_t w = 0; w < k->g.n; w++) {
            if (!(k->live >> w & 1) || component >> w & 1) continue;
            vec_each (i, &k->g.succ[w]) {
                uint32_t to = k->g.succ[w].at[i];
                other_entry |= to != loop->header && component >> to & 1;
            }
        }
        assert_int_equal(loop->irreducible, other_entry);
        check_level(k, found, component & ~(1u << loop->header));
    }
    assert_int_equal(loops, 0);
}

static void check_loops(const Case *k)
{
    const Cfg *c = k->c;
    check_level(k, 0, k->live);
    uint32_t reducible = 1;
    for (uint32_t b = 0; b < k->g.n; b++) {
        uint32_t inner = 0;
        for (uint32_t l = 1; l <= c->loop_count; l++) {
            if (members(c, l) >> b & 1) inner = l; // inner ones come later
            reducible &= !c->loops[l - 1].irreducible;
            assert_true(c->loops[l - 1].parent < l);
        }
        assert_int_equal(c->loop_of[b], inner);
    }
    // every cycle has a back edge; in a reducible graph those are the edges to a dominator
    Graph rest = graph_new(k->g.n);
    for (uint32_t b = 0; b < k->g.n; b++)
        vec_each (i, &k->g.succ[b]) {
            uint32_t to = k->g.succ[b].at[i];
            bool back = cfg_is_back_edge(c, b, to);
            if (!back && k->live >> b & 1) graph_edge(&rest, b, to);
            if (reducible && k->live >> b & 1) assert_int_equal(back, dominates(k, to, b));
        }
    uint32_t reach[MOST + 1];
    closure(&rest, k->live, 0, reach);
    for (uint32_t b = 0; b < k->g.n; b++) assert_false(reach[b] >> b & 1);
    graph_free(&rest);
}

// Blocks without successors, and the last one of each cycle that is never left.
static uint32_t exits_of(const Case *k)
{
    uint32_t reach[MOST + 1], exits = 0;
    closure(&k->g, k->live, 0, reach);
    for (uint32_t b = 0; b < k->g.n; b++) {
        if (!(k->live >> b & 1)) continue;
        if (k->g.succ[b].len == 0) exits |= 1u << b;
        if (!(reach[b] >> b & 1)) continue;
        bool last = true;
        for (uint32_t w = 0; w < k->g.n; w++) {
            if (!(reach[b] >> w & 1)) continue;
            if (!(reach[w] >> b & 1)) last = false; // the cycle can be left
            if (k->c->position[w] > k->c->position[b]) last = false;
        }
        if (last) exits |= 1u << b;
    }
    return exits;
}

static void shapes_agree_with_their_definitions(void **state)
{
    (void)state;
    for (int round = 0; round < 6000; round++) {
        Case k = {.g = graph_any(1 + any(round % 3 == 0 ? 8 : MOST))};
        Arena *a = arena_new("test");
        Unit *u = graph_unit(&k.g);
        const char *wrong = unit_check(u, a);
        if (wrong) fail_msg("%s", wrong);
        k.c = cfg_build(a, u, &u->funcs.at[1]);
        k.all = (1u << k.g.n) - 1;
        uint32_t reach[MOST + 1];
        closure(&k.g, k.all, 0, reach);
        k.live = reach[0] | 1;
        k.exits = exits_of(&k);
        for (uint32_t i = 0; i < k.c->order_count; i++)
            assert_int_equal(k.c->position[k.c->order[i]], i);
        check_dominators(&k);
        check_loops(&k);
        arena_free(a);
        unit_free(u);
        graph_free(&k.g);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double cost(Graph *g, uint32_t *loops)
{
    Arena *a = arena_new("test");
    Unit *u = graph_unit(g);
    double from = seconds();
    Cfg *c = cfg_build(a, u, &u->funcs.at[1]);
    double took = seconds() - from;
    *loops = c->loop_count;
    arena_free(a);
    unit_free(u);
    graph_free(g);
    return took;
}

// Ten seconds would be quadratic by far; the sanitizers' build needs some room.
static void large_functions_are_no_problem(void **state)
{
    (void)state;
    enum { N = 100000 };
    uint32_t loops;
    Graph chain = graph_new(N); // one path
    for (uint32_t v = 0; v + 1 < N; v++) graph_edge(&chain, v, v + 1);
    assert_true(cost(&chain, &loops) < 10);
    Graph nest = graph_new(N); // loops inside loops
    for (uint32_t v = 0; v + 1 < N; v++) {
        graph_edge(&nest, v, v + 1);
        if (v > N / 2 && v < N - 1) graph_edge(&nest, v, N - v);
    }
    assert_true(cost(&nest, &loops) < 10);
    assert_int_equal(loops, N / 2 - 2);
    Graph ladder = graph_new(N); // every rung may go up and down: irreducible everywhere
    for (uint32_t v = 0; v + 2 < N; v++) {
        graph_edge(&ladder, v, v + 1);
        graph_edge(&ladder, v, v + 2);
        if (v > 2) graph_edge(&ladder, v, v - 1);
    }
    assert_true(cost(&ladder, &loops) < 10);
    Graph star = graph_new(N); // a switch in a loop
    for (uint32_t v = 2; v + 1 < N; v++) {
        graph_edge(&star, 1, v);
        graph_edge(&star, v, 1);
    }
    graph_edge(&star, 0, 1);
    assert_true(cost(&star, &loops) < 10);
    assert_int_equal(loops, 1);
}

static void a_declaration_has_no_shape(void **state)
{
    (void)state;
    Unit *u = unit_new();
    vec_push(&u->funcs, ((Func){.name = name_of(u->names, "f")}));
    Arena *a = arena_new("test");
    Cfg *c = cfg_build(a, u, &u->funcs.at[1]);
    assert_int_equal(c->order_count, 0);
    assert_int_equal(c->loop_count, 0);
    arena_free(a);
    unit_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_agree_with_their_definitions),
        cmocka_unit_test(large_functions_are_no_problem),
        cmocka_unit_test(a_declaration_has_no_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
