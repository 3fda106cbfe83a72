// The projection against its definition on thousands of random graphs: the paper's theorem, what
// each outcome leads to, and the closure under control dependence.
#include "../unit/graph.h"
#include "base/file.h"
#include "project/project.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 22 };

typedef struct {
    Graph g;
    Unit *u;
    const Func *f;
    Arena *a;
    Cfg *c;
    uint32_t live; // blocks that the entry reaches
    Bits keep;
} Case;

static Case make(Graph g)
{
    Case k = {.g = g, .u = graph_unit(&g), .a = arena_new("test")};
    k.f = &k.u->funcs.at[1];
    k.c = cfg_build(k.a, k.u, k.f);
    k.keep = bits_new(k.a, k.f->ins_count);
    if (g.n <= 32)
        for (uint32_t b = 0; b < g.n; b++)
            if (k.c->position[b] != UINT32_MAX) k.live |= 1u << b;
    return k;
}

static void drop(Case *k)
{
    arena_free(k->a);
    unit_free(k->u);
    graph_free(&k->g);
}

// reach[v]: nodes reached from v over one or more edges.
static void close_reach(uint64_t *reach, uint32_t n)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t v = 0; v < n; v++)
            for (uint32_t w = 0; w < n; w++)
                if (reach[v] >> w & 1 && (reach[v] | reach[w]) != reach[v]) {
                    reach[v] |= reach[w];
                    grew = true;
                }
    }
}

// The kept blocks that a walk from block v meets first.
static uint32_t first_kept(const Case *k, const Projection *p, uint32_t v)
{
    uint32_t seen = 1u << v, found = 0, stack[MOST], depth = 0;
    if (p->node_of[v]) return 1u << v;
    stack[depth++] = v;
    while (depth) {
        uint32_t b = stack[--depth];
        vec_each (i, &k->g.succ[b]) {
            uint32_t to = k->g.succ[b].at[i];
            if (p->node_of[to]) found |= 1u << to;
            if (p->node_of[to] || seen >> to & 1) continue;
            seen |= 1u << to;
            stack[depth++] = to;
        }
    }
    return found;
}

// The kept blocks that a node's edges of one outcome lead to, junctions passed through.
static uint32_t behind(const Projection *p, uint32_t node, uint32_t outcome, uint64_t *seen)
{
    uint32_t found = 0;
    const ProjectNode *n = &p->nodes[node];
    for (uint32_t i = 0; i < n->edge_count; i++) {
        const ProjectEdge *e = &p->edges[n->first_edge + i];
        if (e->outcome != outcome || *seen >> e->to & 1) continue;
        *seen |= (uint64_t)1 << e->to;
        const ProjectNode *to = &p->nodes[e->to];
        found |=
            to->flags & PROJECT_JUNCTION ? behind(p, e->to, PROJECT_ANY, seen) : 1u << to->block;
    }
    return found;
}

static void check_nodes(const Case *k, const Projection *p)
{
    uint32_t edges = 0;
    for (uint32_t b = 0; b < k->g.n; b++) {
        bool node =
            k->live >> b & 1 && (b == 0 || k->g.succ[b].len == 0 || bits_has(&k->keep, 2 * b) ||
                                 bits_has(&k->keep, 2 * b + 1));
        assert_int_equal(p->node_of[b] != 0, node);
        edges += k->g.succ[b].len;
        if (!node) continue;
        const ProjectNode *n = &p->nodes[p->node_of[b] - 1];
        assert_int_equal(n->block, b);
        assert_int_equal((n->flags & PROJECT_ENTRY) != 0, b == 0);
        assert_int_equal((n->flags & PROJECT_EXIT) != 0, k->g.succ[b].len == 0);
        uint32_t ins = n->first_ins;
        for (uint32_t i = 2 * b; i < 2 * b + 2; i++)
            if (bits_has(&k->keep, i)) assert_int_equal(p->ins[ins++], i);
        assert_int_equal(ins, n->first_ins + n->ins_count);
    }
    assert_int_equal(p->nodes[0].block, 0);
    assert_true(p->edge_count <= edges);
}

static void check_theorem(const Case *k, const Projection *p)
{
    uint64_t g[MOST] = {0}, star[2 * MOST] = {0};
    for (uint32_t b = 0; b < k->g.n; b++)
        vec_each (i, &k->g.succ[b]) g[b] |= (uint64_t)1 << k->g.succ[b].at[i];
    for (uint32_t n = 0; n < p->node_count; n++)
        for (uint32_t i = 0; i < p->nodes[n].edge_count; i++)
            star[n] |= (uint64_t)1 << p->edges[p->nodes[n].first_edge + i].to;
    close_reach(g, k->g.n);
    close_reach(star, p->node_count);
    for (uint32_t m = 0; m < k->g.n; m++)
        for (uint32_t n = 0; n < k->g.n; n++)
            if (p->node_of[m] && p->node_of[n])
                assert_int_equal(g[m] >> n & 1, star[p->node_of[m] - 1] >> (p->node_of[n] - 1) & 1);
}

static void check_outcomes(const Case *k, const Projection *p)
{
    for (uint32_t n = 0; n < p->node_count; n++) {
        const ProjectNode *node = &p->nodes[n];
        if (node->flags & PROJECT_JUNCTION) {
            assert_true(node->edge_count >= 2);
            assert_int_equal(node->ins_count, 0);
            continue;
        }
        const U32s *succ = &k->g.succ[node->block];
        uint32_t all = 0;
        vec_each (i, succ) {
            uint64_t seen = 0;
            uint32_t want = first_kept(k, p, succ->at[i]);
            all |= want;
            if (node->flags & PROJECT_BRANCH) assert_int_equal(behind(p, n, i, &seen), want);
        }
        uint64_t seen = 0;
        bool branch = bits_has(&k->keep, 2 * node->block + 1) && succ->len > 1;
        assert_int_equal((node->flags & PROJECT_BRANCH) != 0, branch);
        if (!branch) assert_int_equal(behind(p, n, PROJECT_ANY, &seen), all);
    }
}

// Each block says which node a walk from it meets first, if that is one alone.
static void check_leads(const Case *k, const Projection *p)
{
    for (uint32_t b = 0; b < k->g.n; b++) {
        if (!(k->live >> b & 1)) continue;
        uint32_t first = first_kept(k, p, b);
        if (!p->leads[b])
            assert_true(first == 0 || first & (first - 1));
        else
            assert_int_equal(first, 1u << p->nodes[p->leads[b] - 1].block);
    }
}

// Whatever loop a node stands in, its header is one too.
static void check_headers(const Case *k, const Projection *p)
{
    for (uint32_t b = 0; b < k->g.n; b++)
        for (uint32_t l = p->node_of[b] ? k->c->loop_of[b] : 0; l; l = k->c->loops[l - 1].parent)
            assert_true(p->node_of[k->c->loops[l - 1].header]);
}

static void keep_any(Case *k)
{
    uint32_t rate = 2 + any(8);
    for (uint32_t i = 0; i < k->f->ins_count; i++)
        if (any(rate) == 0 && (i % 2 == 0 || any(2))) bits_add(&k->keep, i);
}

static void reachability_is_kept_exactly(void **state)
{
    (void)state;
    uint32_t junctions = 0;
    for (int round = 0; round < 8000; round++) {
        Case k = make(graph_any(1 + any(round % 3 == 0 ? 7 : MOST)));
        keep_any(&k);
        Projection *p = project_build(k.a, k.u, k.f, k.c, &k.keep);
        check_nodes(&k, p);
        check_theorem(&k, p);
        check_outcomes(&k, p);
        check_leads(&k, p);
        for (uint32_t n = 0; n < p->node_count; n++)
            junctions += (p->nodes[n].flags & PROJECT_JUNCTION) != 0;
        drop(&k);
    }
    assert_true(junctions > 500);
}

// Does every path from block v to the exit go through x? Among the blocks of `within`.
static bool post_dominates(const Case *k, uint32_t within, uint32_t exits, uint32_t x, uint32_t v)
{
    uint32_t seen = 1u << v, stack[MOST], depth = 0;
    if (x == v) return true;
    stack[depth++] = v;
    while (depth) {
        uint32_t b = stack[--depth];
        if (exits >> b & 1) return false;
        vec_each (i, &k->g.succ[b]) {
            uint32_t to = k->g.succ[b].at[i];
            if (to == x || seen >> to & 1 || !(within >> to & 1)) continue;
            seen |= 1u << to;
            stack[depth++] = to;
        }
    }
    return true;
}

// The definition: branches that kept blocks depend on, again and again.
static void close_naively(Case *k, const ProjectHow *how, Bits *keep)
{
    uint64_t g[MOST] = {0};
    uint32_t within = 0, exits = 0, seeds = 0;
    for (uint32_t b = 0; b < k->g.n; b++)
        vec_each (i, &k->g.succ[b]) g[b] |= (uint64_t)1 << k->g.succ[b].at[i];
    close_reach(g, k->g.n);
    for (uint32_t b = 0; b < k->g.n; b++) {
        if (!(k->live >> b & 1)) continue;
        bool kept = bits_has(keep, 2 * b) || bits_has(keep, 2 * b + 1);
        if (k->g.succ[b].len == 0 || kept || how->deaths) seeds |= 1u << b;
        if (k->g.succ[b].len == 0) bits_add(keep, 2 * b + 1);
    }
    for (uint32_t b = 0; b < k->g.n; b++)
        if (k->live >> b & 1 && (seeds >> b & 1 || g[b] & seeds)) within |= 1u << b;
    for (uint32_t b = 0; b < k->g.n; b++) {
        if (!(within >> b & 1)) continue;
        uint32_t on = 0;
        vec_each (i, &k->g.succ[b]) on |= within & 1u << k->g.succ[b].at[i];
        if (!on) exits |= 1u << b;
        if (!(g[b] >> b & 1)) continue;
        bool last = true; // of a loop that is never left
        for (uint32_t w = 0; w < k->g.n; w++) {
            if (!(g[b] >> w & 1) || !(within >> w & 1)) continue;
            if (!(g[w] >> b & 1) || k->c->position[w] > k->c->position[b]) last = false;
        }
        if (last) exits |= 1u << b;
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = 0; b < k->g.n; b++) {
            if (!(within >> b & 1) || !(bits_has(keep, 2 * b) || bits_has(keep, 2 * b + 1)))
                continue;
            for (uint32_t l = how->headers ? k->c->loop_of[b] : 0; l;
                 l = k->c->loops[l - 1].parent) {
                uint32_t header = k->c->loops[l - 1].header;
                if (header != b) grew |= bits_add(keep, 2 * header + 1);
            }
            for (uint32_t a = 0; a < k->g.n; a++) {
                if (!(within >> a & 1)) continue;
                bool depends = false;
                if (a == b || !post_dominates(k, within, exits, b, a))
                    vec_each (i, &k->g.succ[a]) {
                        uint32_t s = k->g.succ[a].at[i];
                        depends |= within >> s & 1 && post_dominates(k, within, exits, b, s);
                    }
                // one way on is no choice
                uint32_t on = 0;
                vec_each (i, &k->g.succ[a]) on |= within & 1u << k->g.succ[a].at[i];
                if (depends && on & (on - 1)) grew |= bits_add(keep, 2 * a + 1);
            }
        }
    }
}

static void closing_adds_what_governs(void **state)
{
    (void)state;
    uint32_t dropped = 0;
    for (int round = 0; round < 6000; round++) {
        Case k = make(graph_any(1 + any(round % 3 == 0 ? 7 : MOST)));
        uint32_t rate = 3 + any(8);
        for (uint32_t b = 0; b < k.g.n; b++) // nothing in blocks that are never reached
            if (any(rate) == 0 && k.live >> b & 1) bits_add(&k.keep, 2 * b);
        ProjectHow how = {.values = any(2), .deaths = any(2), .headers = any(2)};
        Bits naive = bits_new(k.a, k.f->ins_count);
        bits_union(&naive, &k.keep);
        close_naively(&k, &how, &naive);
        project_close(k.u, k.f, k.c, &how, &k.keep);
        for (uint32_t i = 0; i < k.f->ins_count; i++)
            assert_int_equal(bits_has(&k.keep, i), bits_has(&naive, i));
        Projection *p = project_build(k.a, k.u, k.f, k.c, &k.keep);
        check_nodes(&k, p);
        check_theorem(&k, p);
        check_outcomes(&k, p);
        check_leads(&k, p);
        if (how.headers) check_headers(&k, p);
        for (uint32_t n = 0; n < p->node_count; n++) { // each outcome leads to one place
            const ProjectNode *node = &p->nodes[n];
            assert_false(node->flags & PROJECT_JUNCTION);
            if (!(node->flags & PROJECT_BRANCH)) assert_true(node->edge_count <= 1);
            for (uint32_t e = 1; e < node->edge_count; e++)
                assert_int_not_equal(p->edges[node->first_edge + e].outcome,
                                     p->edges[node->first_edge + e - 1].outcome);
        }
        dropped += p->node_count < (uint32_t)__builtin_popcount(k.live);
        drop(&k);
    }
    assert_true(dropped > 1000);
}

// Figures 3 and 4 of the paper: S1 allocates, S3 is a loop, S6 a condition, S7 copies the pointer,
// S9 frees.
static Graph figure_3(void)
{
    Graph g = graph_new(11);
    uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 6}, {4, 5},
                           {5, 3}, {6, 7}, {6, 8}, {7, 9}, {8, 9}, {9, 10}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        graph_edge(&g, edges[i][0], edges[i][1]);
    return g;
}

static bool has_edge(const Projection *p, uint32_t from, uint32_t to)
{
    const ProjectNode *n = &p->nodes[p->node_of[from] - 1];
    for (uint32_t i = 0; i < n->edge_count; i++)
        if (p->nodes[p->edges[n->first_edge + i].to].block == to) return true;
    return false;
}

static void the_papers_example(void **state)
{
    (void)state;
    Case k = make(figure_3());
    bits_add(&k.keep, 2 * 1);
    bits_add(&k.keep, 2 * 7);
    bits_add(&k.keep, 2 * 9);
    bits_add(&k.keep, 2 * 3 + 1); // the paper keeps all branches
    bits_add(&k.keep, 2 * 6 + 1);
    Projection *p = project_build(k.a, k.u, k.f, k.c, &k.keep);
    assert_int_equal(p->node_count, 7); // N* and the two ends
    assert_true(has_edge(p, 1, 3) && has_edge(p, 3, 6) && has_edge(p, 6, 7) && has_edge(p, 7, 9));
    assert_true(has_edge(p, 3, 3) && has_edge(p, 6, 9));
    assert_true(p->nodes[p->node_of[3] - 1].flags & PROJECT_CLOSED);
    assert_false(p->nodes[p->node_of[6] - 1].flags & PROJECT_CLOSED);
    drop(&k);

    k = make(figure_3()); // the loop governs nothing that is kept
    bits_add(&k.keep, 2 * 1);
    bits_add(&k.keep, 2 * 7);
    bits_add(&k.keep, 2 * 9);
    project_close(k.u, k.f, k.c, &(ProjectHow){0}, &k.keep);
    p = project_build(k.a, k.u, k.f, k.c, &k.keep);
    assert_int_equal(p->node_of[3], 0);
    assert_int_equal(p->node_count, 6);
    assert_true(has_edge(p, 1, 6) && has_edge(p, 6, 7) && has_edge(p, 6, 9) && has_edge(p, 9, 10));
    drop(&k);
}

static char *text_of(const char *name)
{
    const char *root = getenv("ROOT");
    char *path = mem_printf("%s/tests/project/%s", root ? root : ".", name);
    size_t len;
    char *text = file_read(path, 0, &len);
    if (!text) fail_msg("%s cannot be read", path);
    mem_free(path);
    return text;
}

// Keeps the calls of a function, closes, and compares with the text behind "#> " in the file.
static void dumps_are_as_written(void **state)
{
    (void)state;
    char *text = text_of("dumps.u");
    Diag d = {0};
    Unit *u = unit_parse(text, "dumps.u", &d);
    assert_non_null(u);
    Out *o = out_memory(), *want = out_memory();
    for (const char *s = strstr(text, "\n#> "); s; s = strstr(s + 1, "\n#> ")) {
        const char *end = strchr(s + 1, '\n');
        out_bytes(want, s + 4, (size_t)(end - s) - 3);
    }
    for (uint32_t i = 1; i < u->funcs.len; i++) {
        const Func *f = &u->funcs.at[i];
        if (!func_is_defined(f)) continue;
        const char *name = name_text(u->names, f->name);
        Arena *a = arena_new("test");
        Cfg *c = cfg_build(a, u, f);
        Bits keep = bits_new(a, f->ins_count);
        for (uint32_t k = 0; k < f->ins_count; k++)
            if (func_ins(u, f, k)->op == OP_CALL && !(func_ins(u, f, k)->flags & INS_NORETURN))
                bits_add(&keep, k);
        ProjectHow how = {.values = strstr(name, "values") != NULL,
                          .deaths = strstr(name, "deaths") != NULL};
        project_close(u, f, c, &how, &keep);
        Projection *p = project_build(a, u, f, c, &keep);
        project_print(o, u, f, p);
        Out *dot = out_memory();
        project_print_dot(dot, u, f, p);
        assert_non_null(strstr(out_content(dot, &(size_t){0}), "cluster_p"));
        out_close(dot);
        arena_free(a);
    }
    assert_string_equal(out_content(o, &(size_t){0}), out_content(want, &(size_t){0}));
    out_close(o);
    out_close(want);
    unit_free(u);
    mem_free(text);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void cost(Graph g, uint32_t step, bool close)
{
    Case k = make(g);
    for (uint32_t i = 0; i < k.f->ins_count; i += 2 * step) bits_add(&k.keep, i);
    double from = seconds();
    if (close) project_close(k.u, k.f, k.c, &(ProjectHow){0}, &k.keep);
    Projection *p = project_build(k.a, k.u, k.f, k.c, &k.keep);
    assert_true(seconds() - from < 10); // quadratic would be minutes
    assert_true(p->node_count <= k.g.n);
    drop(&k);
}

static void large_functions_are_no_problem(void **state)
{
    (void)state;
    enum { N = 100000 };
    for (int close = 0; close < 2; close++) {
        Graph ladder = graph_new(N), nest = graph_new(N), hub = graph_new(N);
        for (uint32_t v = 0; v + 2 < N; v++) {
            graph_edge(&ladder, v, v + 1);
            graph_edge(&ladder, v, v + 2);
            if (v > 2) graph_edge(&ladder, v, v - 1);
        }
        for (uint32_t v = 0; v + 1 < N; v++) {
            graph_edge(&nest, v, v + 1);
            if (v > N / 2) graph_edge(&nest, v, N - v);
        }
        // many kept nodes into one dropped block and out again
        graph_edge(&hub, 0, 1);
        for (uint32_t v = 2; v + 1 < N; v++) {
            graph_edge(&hub, 1, v);
            graph_edge(&hub, v, 1);
        }
        cost(ladder, 7, close);
        cost(nest, 3, close);
        cost(hub, 2, close);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reachability_is_kept_exactly),
        cmocka_unit_test(closing_adds_what_governs),
        cmocka_unit_test(the_papers_example),
        cmocka_unit_test(dumps_are_as_written),
        cmocka_unit_test(large_functions_are_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
