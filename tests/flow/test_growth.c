// Points-to and value flow do not grow faster than programs: counted steps, not seconds, on made
// programs of doubling size.
#include "flow/flow_int.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const double most = 1.15; // the goal for the exponent

typedef struct {
    Arena *a;
    Names *names;
    SpecTable *specs;
    Unit *u;
    Program *p;
    Points *points;
    Flow *flow;
} Run;

static Run run(Out *text)
{
    const char *root = getenv("ROOT");
    char *models = mem_printf("%s/models", root ? root : ".");
    Diag d = {0};
    Run r = {.a = arena_new("test"), .names = names_new()};
    r.specs = spec_new(r.names);
    spec_add_dir(r.specs, models, SPEC_FROM_MODEL, &d);
    mem_free(models);
    r.u = unit_parse(out_content(text, NULL), "growth.u", &d);
    out_discard(text);
    if (!r.u) fail_msg("the program is not well-formed");
    const Unit *units[] = {r.u};
    r.p = program_build(r.a, "", units, 1);
    r.points = points_solve(r.p, r.specs);
    r.flow = flow_new(r.p, r.points, r.specs);
    return r;
}

static void end(Run *r)
{
    flow_free(r->flow);
    points_free(r->points);
    program_free(r->p);
    unit_free(r->u);
    spec_free(r->specs);
    names_free(r->names);
    arena_free(r->a);
}

static Out *begin(void)
{
    Out *o = out_memory();
    out_text(o, "unit \"growth.c\"\nlanguage \"c\"\n"
                "type t1 = struct \"node\" size 16 { t2 \"next\", t2 \"text\" at 64 }\n"
                "type t2 = pointer size 8 { t1 }\n");
    return o;
}

// One that makes a node with a text, one that puts it where it is told, one that takes it away, and
// one with the variable. With `tangled` the second calls back into everything, and the variable is
// on the heap.
static void module(Out *o, uint32_t i, uint32_t group, bool tangled)
{
    out_printf(o,
               "func ptr @make%u(i32 %%c) {\nentry:\n"
               "  %%p = call ptr @malloc(i64 16)\n"
               "  %%q = call ptr @malloc(i64 8)\n"
               "  %%at = field ptr %%p, 8\n"
               "  store ptr %%at, %%q\n"
               "  ret %%p\n}\n",
               i);
    out_printf(o,
               "func void @fill%u(ptr %%at, i32 %%c) {\nentry:\n"
               "  %%go = ne i32 %%c, 0\n"
               "  branch %%go, more, out\n"
               "more:\n"
               "  %%p = call ptr @make%u(i32 %%c)\n"
               "  store ptr %%at, %%p\n",
               i, i);
    if (tangled) out_printf(o, "  call void @group%u(i32 %%c)\n", group);
    out_text(o, "  jump out\nout:\n  ret none\n}\n");
    out_printf(o,
               "func void @drop%u(ptr %%at) {\nentry:\n"
               "  %%p = load ptr %%at\n"
               "  %%in = field ptr %%p, 8\n"
               "  %%q = load ptr %%in\n"
               "  call void @free(ptr %%q)\n"
               "  call void @free(ptr %%p)\n"
               "  ret none\n}\n",
               i);
    out_printf(o,
               "func void @use%u(i32 %%c) {\n%s"
               "entry:\n"
               "  %%x = %s\n"
               "  store ptr %%x, null\n"
               "  call void @fill%u(ptr %%x, i32 %%c)\n"
               "  call void @drop%u(ptr %%x)\n"
               "%s"
               "  ret none\n}\n",
               i, tangled ? "" : "  local l1 \"x\" size 8 align 8 type t2\n",
               tangled ? "call ptr @malloc(i64 8)" : "alloca ptr l1", i, i,
               tangled ? "  call void @free(ptr %x)\n" : "");
}

enum { MEMBERS = 8 }; // modules of a group

static Out *modules(uint32_t groups, bool tangled)
{
    Out *o = begin();
    for (uint32_t i = 0; i < groups * MEMBERS; i++) module(o, i, i / MEMBERS, tangled);
    for (uint32_t g = 0; g < groups; g++) {
        out_printf(o, "func void @group%u(i32 %%c) {\nentry:\n", g);
        for (uint32_t i = 0; i < MEMBERS; i++)
            out_printf(o, "  call void @use%u(i32 %%c)\n", g * MEMBERS + i);
        if (g + 1 < groups || tangled)
            out_printf(o, "  call void @group%u(i32 %%c)\n", (g + 1) % groups);
        out_text(o, "  ret none\n}\n");
    }
    out_text(o, "func i32 @main(i32 %c) {\nentry:\n  call void @group0(i32 %c)\n  ret 0\n}\n");
    return o;
}

// Each hands its pointer to the next through a variable that holds a function, and keeps it in a
// variable of its own: one cycle of all parameters, which only the solution sees.
static Out *ring(uint32_t n)
{
    Out *o = begin();
    for (uint32_t i = 0; i < n; i++) {
        out_printf(o, "global @kept%u defined zero size 8 type t2\n", i);
        out_printf(o, "global @next%u defined size 8 type t2 {\n  0: ptr @step%u\n}\n", i,
                   (i + 1) % n);
    }
    for (uint32_t i = 0; i < n; i++)
        out_printf(o,
                   "func void @step%u(ptr %%p) {\nentry:\n"
                   "  store ptr @kept%u, %%p\n"
                   "  %%f = load ptr @next%u\n"
                   "  call void %%f(ptr %%p)\n"
                   "  ret none\n}\n",
                   i, i, i);
    out_text(o, "func i32 @main() {\nentry:\n  %p = call ptr @malloc(i64 16)\n"
                "  call void @step0(ptr %p)\n  ret 0\n}\n");
    return o;
}

static void check_growth(const char *what, double small, double large)
{
    double exponent = log2(large / small);
    if (exponent > most)
        fail_msg("%s: %.0f steps, %.0f for twice the program: exponent %.2f", what, small, large,
                 exponent);
}

typedef struct {
    double points, sets, accesses, nodes;
} Work;

static Work work_of(Out *text, bool all_functions)
{
    Run r = run(text);
    for (uint32_t f = 1; all_functions && f < r.p->funcs.len; f++)
        if (program_has_code(r.p, (FuncId){f})) flow_func(r.flow, (FuncId){f});
    for (uint32_t i = 0; !all_functions && i < flow_source_count(r.flow); i++)
        flow_result(r.flow, i);
    FlowCounts c = flow_counts(r.flow);
    Work w = {(double)points_counts(r.points).steps, (double)c.sets, (double)c.accesses,
              (double)c.nodes};
    end(&r);
    return w;
}

// All functions reach all others, and everything that all of them read and write: the memory SSA
// of each takes that as it stands.
static void tangled_functions(void **state)
{
    (void)state;
    Work small = work_of(modules(32, true), true), large = work_of(modules(64, true), true);
    check_growth("points", small.points, large.points);
    check_growth("sets of memory", small.sets, large.sets);
    check_growth("accesses", small.accesses, large.accesses);
}

// The slice of a value that stays in its corner of the program is the same in a larger one.
static void slices(void **state)
{
    (void)state;
    Work small = work_of(modules(16, false), false), large = work_of(modules(32, false), false);
    check_growth("points", small.points, large.points);
    check_growth("sets of memory", small.sets, large.sets);
    check_growth("nodes of slices", small.nodes, large.nodes);
    // Node by node: the call, the variable and what the release reads, in each of its functions.
    Run r = run(modules(16, false));
    uint32_t n = flow_source_count(r.flow);
    assert_true(n >= 16 * MEMBERS);
    for (uint32_t i = 0; i < n; i++) assert_int_equal(flow_result(r.flow, i).nodes, 10);
    end(&r);
}

static void one_large_cycle(void **state)
{
    (void)state;
    Work small = work_of(ring(512), false), large = work_of(ring(1024), false);
    check_growth("points", small.points, large.points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangled_functions),
        cmocka_unit_test(slices),
        cmocka_unit_test(one_large_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
