// Symbol resolution, link plans, call graph and components, over units built by hand.
#include "link/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Unit *u;
    UnitBuilder *b;
} Make;

static Make make(const char *source)
{
    Make m = {.u = unit_new()};
    m.b = unit_builder_new(m.u);
    m.u->source = name_of(m.u->names, source);
    return m;
}

static Unit *done(Make *m)
{
    unit_builder_free(m->b);
    return m->u;
}

static UFuncId func(Make *m, const char *name, Linkage linkage)
{
    Func f = {.linkage = linkage};
    f.name = f.source = name_of(m->u->names, name);
    vec_push(&m->u->funcs, f);
    return (UFuncId){m->u->funcs.len - 1};
}

// A body that calls each of `callees` (0: an unknown function) and returns. Ends with -1.
static UFuncId body(Make *m, UFuncId f, ...)
{
    Unit *u = m->u;
    Func *uf = &u->funcs.at[f.id];
    uf->first_ins = u->ins.len;
    uf->first_block = u->blocks.len;
    uf->first_extra = u->extra.len;
    va_list ap;
    va_start(ap, f);
    for (int callee; (callee = va_arg(ap, int)) >= 0;) {
        Ref to = callee ? unit_const(m->b, (Const){.kind = CONST_FUNC,
                                                   .type = mtype(MT_PTR, 8).bits,
                                                   .target = (uint32_t)callee})
                        : unit_const_null(m->b);
        vec_push(&u->ins, ((Ins){.op = OP_CALL, .a = to.bits}));
    }
    va_end(ap);
    vec_push(&u->ins, ((Ins){.op = OP_RET}));
    uf->ins_count = u->ins.len - uf->first_ins;
    uf->block_count = 1;
    vec_push(&u->blocks, ((Block){0, uf->ins_count}));
    return f;
}

static UGlobalId global(Make *m, const char *name, Linkage linkage, uint32_t flags, uint64_t size)
{
    Global g = {.linkage = linkage, .flags = flags, .size = size};
    g.name = g.source = name_of(m->u->names, name);
    vec_push(&m->u->globals, g);
    return (UGlobalId){m->u->globals.len - 1};
}

static FuncId only(const Program *p, const char *name)
{
    U32s found = {0};
    assert_int_equal(program_find(p, name, &found), 1);
    FuncId f = {found.at[0]};
    vec_free(&found);
    return f;
}

// Where the unit that was given as the nth stands in the program.
static uint32_t place_of(const Program *p, uint32_t number)
{
    for (uint32_t i = 0; i < p->unit_count; i++)
        if (p->unit_number[i] == number) return i;
    fail();
    return 0;
}

static void strong_beats_weak(void **state)
{
    (void)state;
    Make a = make("/p/a.c"), b = make("/p/b.c");
    UFuncId weak = body(&a, func(&a, "f", LINK_WEAK), -1);
    body(&a, func(&a, "main", LINK_EXTERNAL), (int)weak.id, -1);
    UFuncId strong = body(&b, func(&b, "f", LINK_EXTERNAL), -1);
    const Unit *units[] = {done(&a), done(&b)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 2);
    FuncId f = only(p, "f");
    assert_int_equal(p->funcs.at[f.id].unit, 1);
    assert_int_equal(p->funcs.at[f.id].func.id, strong.id);
    assert_int_equal(program_func(p, 0, weak).id, f.id);
    assert_int_equal(p->dropped, 1);
    assert_int_equal(p->duplicates, 0);
    FuncId main = only(p, "main");
    assert_int_equal(p->calls.at[p->funcs.at[main.id].calls.first].callee.id, f.id);
    assert_int_equal(p->callers.at[p->funcs.at[f.id].callers.first].id, main.id);
    assert_true(program_covers_all(p, 2));
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
    unit_free(b.u);
}

static void static_functions_stay_apart(void **state)
{
    (void)state;
    Make a = make("/p/a.c"), b = make("/p/b.c");
    UFuncId in_a = body(&a, func(&a, "helper", LINK_INTERNAL), -1);
    UFuncId in_b = body(&b, func(&b, "helper", LINK_INTERNAL), -1);
    const Unit *units[] = {done(&a), done(&b)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 2);
    assert_int_not_equal(program_func(p, 0, in_a).id, program_func(p, 1, in_b).id);
    assert_string_equal(program_label(p, arena, program_func(p, 1, in_b)), "b.c:helper");
    U32s found = {0};
    assert_int_equal(program_find(p, "helper", &found), 2);
    vec_clear(&found);
    assert_int_equal(program_find(p, "b.c:helper", &found), 1);
    assert_int_equal(found.at[0], program_func(p, 1, in_b).id);
    vec_free(&found);
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
    unit_free(b.u);
}

static void inline_copies_and_commons_merge(void **state)
{
    (void)state;
    Make a = make("/p/a.cc"), b = make("/p/b.cc");
    UFuncId one = body(&a, func(&a, "inl", LINK_LINKONCE), -1);
    UFuncId two = body(&b, func(&b, "inl", LINK_LINKONCE), -1);
    UFuncId avail = body(&a, func(&a, "ext", LINK_AVAILABLE), -1);
    UFuncId real = body(&b, func(&b, "ext", LINK_EXTERNAL), -1);
    UGlobalId small = global(&a, "buf", LINK_COMMON, 0, 4);
    UGlobalId large = global(&b, "buf", LINK_COMMON, 0, 64);
    UGlobalId used = global(&a, "table", LINK_EXTERNAL, 0, 8);
    UGlobalId made = global(&b, "table", LINK_EXTERNAL, GLOBAL_DEFINED, 8);
    const Unit *units[] = {done(&a), done(&b)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 2);
    assert_int_equal(program_func(p, 0, one).id, program_func(p, 1, two).id);
    assert_int_equal(p->funcs.at[program_func(p, 1, two).id].unit, 0);
    assert_int_equal(program_func(p, 0, avail).id, program_func(p, 1, real).id);
    assert_int_equal(p->funcs.at[program_func(p, 0, avail).id].unit, 1);
    assert_int_equal(program_global(p, 0, small).id, program_global(p, 1, large).id);
    assert_int_equal(p->globals.at[program_global(p, 0, small).id].size, 64);
    assert_int_equal(program_global(p, 0, used).id, program_global(p, 1, made).id);
    assert_true(p->globals.at[program_global(p, 0, used).id].flags & PROG_DEFINED);
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
    unit_free(b.u);
}

static void aliases_lead_to_the_code(void **state)
{
    (void)state;
    Make a = make("/p/a.c"), b = make("/p/b.c");
    UFuncId code = body(&a, func(&a, "__f", LINK_EXTERNAL), -1);
    UFuncId name = func(&a, "f", LINK_WEAK);
    a.u->funcs.at[name.id].alias = code.id;
    UFuncId loop = func(&a, "g", LINK_EXTERNAL); // nonsense must not hang
    a.u->funcs.at[loop.id].alias = loop.id;
    UFuncId user = func(&b, "f", LINK_EXTERNAL);
    body(&b, func(&b, "main", LINK_EXTERNAL), (int)user.id, -1);
    const Unit *units[] = {done(&a), done(&b)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 2);
    assert_int_equal(program_func(p, 1, user).id, program_func(p, 0, code).id);
    assert_int_equal(program_func(p, 0, name).id, program_func(p, 0, code).id);
    assert_int_not_equal(program_func(p, 0, loop).id, 0);
    assert_false(program_has_code(p, program_func(p, 0, loop)));
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
    unit_free(b.u);
}

static void an_ifunc_may_become_what_its_resolver_names(void **state)
{
    (void)state;
    Make a = make("/p/a.c");
    UFuncId fast = body(&a, func(&a, "fast", LINK_INTERNAL), -1);
    UFuncId resolver = body(&a, func(&a, "choose", LINK_INTERNAL), -1);
    Func *r = &a.u->funcs.at[resolver.id];
    Ref address = unit_const(
        a.b, (Const){.kind = CONST_FUNC, .type = mtype(MT_PTR, 8).bits, .target = fast.id});
    a.u->ins.at[r->first_ins].a = address.bits; // ret @fast
    UFuncId copy = func(&a, "copy", LINK_EXTERNAL);
    a.u->funcs.at[copy.id].alias = resolver.id;
    a.u->funcs.at[copy.id].flags |= FUNC_IFUNC;
    UFuncId user = body(&a, func(&a, "user", LINK_EXTERNAL), (int)copy.id, -1);
    const Unit *units[] = {done(&a)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 1);
    FuncId f = program_func(p, 0, copy);
    assert_true(p->funcs.at[f.id].flags & PROG_IFUNC);
    assert_int_equal(p->funcs.at[f.id].resolver.id, program_func(p, 0, resolver).id);
    U32s targets = {0};
    program_ifunc_targets(p, f, &targets);
    assert_int_equal(targets.len, 1);
    assert_int_equal(targets.at[0], program_func(p, 0, fast).id);
    vec_free(&targets);
    // Bottom-up: the target before whoever calls through the ifunc.
    assert_true(p->funcs.at[program_func(p, 0, fast).id].scc.id <
                p->funcs.at[program_func(p, 0, user).id].scc.id);
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
}

static void unknown_links_prefer_the_near_definition(void **state)
{
    (void)state;
    Make one = make("/p/one/util.c"), two = make("/p/two/util.c"), user = make("/p/two/main.c");
    UFuncId in_one = body(&one, func(&one, "usage", LINK_EXTERNAL), -1);
    UFuncId in_two = body(&two, func(&two, "usage", LINK_EXTERNAL), -1);
    UFuncId use = func(&user, "usage", LINK_EXTERNAL);
    const Unit *units[] = {done(&one), done(&two), done(&user)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 3);
    FuncId near = program_func(p, place_of(p, 1), in_two);
    assert_int_equal(program_func(p, place_of(p, 2), use).id, near.id);
    assert_int_not_equal(program_func(p, place_of(p, 0), in_one).id, near.id);
    assert_int_equal(p->duplicates, 1);
    program_free(p);
    arena_free(arena);
    for (int i = 0; i < 3; i++) unit_free((Unit *)units[i]);
}

// The whole of a program that does not name a unit by its number.
static char *drawn(const Program *p, Arena *a)
{
    Out *o = out_memory();
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const ProgFunc *pf = &p->funcs.at[f];
        const Unit *u = p->units[pf->unit];
        out_printf(o, "%u %s %s %u %u\n", f, name_text(p->names, pf->name),
                   name_text(u->names, u->source), p->units[pf->unit]->ins.len, pf->flags);
    }
    for (uint32_t i = 0; i < p->unit_count; i++)
        for (uint32_t k = 1; k < p->units[i]->funcs.len; k++)
            out_printf(o, "%u.%u = %u\n", i, k, p->func_of[i][k].id);
    program_print_calls(o, p, (FuncId){0});
    char *text = arena_strdup(a, out_content(o, NULL));
    out_discard(o);
    return text;
}

// Strong, weak and inline definitions of the same names in five units, two of which were compiled
// from one source with other flags: all 120 orders give one program.
static void duplicates_resolve_alike_in_any_order(void **state)
{
    (void)state;
    enum { N = 5 };
    Make m[N] = {make("/p/x/a.c"), make("/p/y/a.c"), make("/p/z/b.c"), make("/p/z/b.c"),
                 make("/q/main.c")};
    for (int i = 0; i < 4; i++) {
        UFuncId inl = body(&m[i], func(&m[i], "inl", LINK_LINKONCE), -1);
        UFuncId weak = body(&m[i], func(&m[i], "weak", LINK_WEAK), (int)inl.id, -1);
        UFuncId f = func(&m[i], "put", LINK_EXTERNAL);
        // Each body is another one.
        switch (i) {
        case 0:
            body(&m[i], f, -1);
            break;
        case 1:
            body(&m[i], f, (int)inl.id, -1);
            break;
        case 2:
            body(&m[i], f, (int)weak.id, (int)inl.id, -1);
            break;
        default:
            body(&m[i], f, (int)inl.id, (int)inl.id, (int)weak.id, -1);
        }
    }
    UFuncId use = func(&m[4], "put", LINK_EXTERNAL), weak = func(&m[4], "weak", LINK_EXTERNAL);
    body(&m[4], func(&m[4], "main", LINK_EXTERNAL), (int)use.id, (int)weak.id, -1);
    const Unit *units[N];
    for (int i = 0; i < N; i++) units[i] = done(&m[i]);
    Arena *arena = arena_new("test");
    const char *first = NULL;
    int orders = 0;
    for (int code = 0; code < N * N * N * N * N; code++) {
        const Unit *shuffled[N];
        unsigned seen = 0;
        for (int i = 0, c = code; i < N; i++, c /= N) shuffled[i] = units[c % N], seen |= 1U << c % N;
        if (seen != (1U << N) - 1) continue;
        orders++;
        Program *built = program_build(arena, "", shuffled, N);
        Programs linked = link_programs(arena, &(LinkInfo){.units = shuffled, .unit_count = N});
        assert_int_equal(linked.len, 1);
        const char *text = drawn(built, arena);
        if (!first) first = text;
        assert_string_equal(text, first);
        assert_string_equal(drawn(linked.at[0], arena), first);
        program_free(built);
        programs_free(&linked);
    }
    assert_int_equal(orders, 120);
    arena_free(arena);
    for (int i = 0; i < N; i++) unit_free((Unit *)units[i]);
}

// Two programs with a `usage` each, an archive of which one member is asked for, a library.
static LinkStep step(const char *name, LinkKind kind, const StepInput *inputs, uint32_t count)
{
    return (LinkStep){.name = name, .kind = kind, .inputs = inputs, .input_count = count};
}

static void link_steps_keep_programs_apart(void **state)
{
    (void)state;
    Make m[6] = {make("/p/a.c"),    make("/p/b.c"),   make("/p/needed.c"),
                 make("/p/idle.c"), make("/p/lib.c"), make("/p/loose.c")};
    for (int i = 0; i < 2; i++) {
        UFuncId usage = body(&m[i], func(&m[i], "usage", LINK_EXTERNAL), -1);
        UFuncId helper = func(&m[i], "helper", LINK_EXTERNAL);
        UFuncId from_lib = func(&m[i], "from_lib", LINK_EXTERNAL);
        body(&m[i], func(&m[i], "main", LINK_EXTERNAL), (int)usage.id, (int)helper.id,
             (int)from_lib.id, -1);
    }
    body(&m[2], func(&m[2], "helper", LINK_EXTERNAL), -1);
    body(&m[3], func(&m[3], "usage", LINK_EXTERNAL), -1); // would clash if it were taken
    UFuncId lib_uses = func(&m[4], "usage", LINK_EXTERNAL);
    body(&m[4], func(&m[4], "from_lib", LINK_EXTERNAL), (int)lib_uses.id, -1);
    body(&m[5], func(&m[5], "loose", LINK_EXTERNAL), -1);
    const Unit *units[6];
    for (int i = 0; i < 6; i++) units[i] = done(&m[i]);
    enum { A, B, AR, LIB };
    const StepInput a_in[] = {{false, false, 0}, {true, false, AR}, {true, false, LIB}};
    const StepInput b_in[] = {{false, false, 1}, {true, false, AR}, {true, false, LIB}};
    const StepInput ar_in[] = {{false, false, 2}, {false, false, 3}};
    const StepInput lib_in[] = {{false, false, 4}, {true, false, LIB}}; // a cycle must not hang
    const LinkStep steps[] = {step("a", LINK_PROGRAM, a_in, 3), step("b", LINK_PROGRAM, b_in, 3),
                              step("libx.a", LINK_ARCHIVE, ar_in, 2), step("liby.so", LINK_SHARED, lib_in, 2)};
    LinkInfo info = {.units = units, .unit_count = 6, .steps = steps, .step_count = 4};
    Arena *arena = arena_new("test");
    Programs programs = link_programs(arena, &info);
    // a, b, the archive for the member that nobody took, the loose unit; the library is part of a.
    assert_int_equal(programs.len, 4);
    for (uint32_t i = 0; i < 2; i++) {
        Program *p = programs.at[i];
        assert_int_equal(p->unit_count, 3);
        FuncId usage = only(p, "usage");
        assert_int_equal(p->unit_number[p->funcs.at[usage.id].unit], i);
        assert_int_equal(p->duplicates, 0);
        FuncId from_lib = only(p, "from_lib");
        assert_true(p->funcs.at[from_lib.id].flags & PROG_SHARED);
        assert_int_equal(p->calls.at[p->funcs.at[from_lib.id].calls.first].callee.id, usage.id);
        assert_true(program_has_code(p, only(p, "helper")));
    }
    assert_true(programs.at[0]->unit_fresh[1]);
    assert_false(programs.at[1]->unit_fresh[1]);
    assert_string_equal(programs.at[2]->name, "libx.a");
    assert_string_equal(programs.at[3]->name, "");
    assert_int_equal(programs.at[3]->unit_number[0], 5);
    programs_free(&programs);
    arena_free(arena);
    for (int i = 0; i < 6; i++) unit_free((Unit *)units[i]);
}

static bool is_hidden(const Program *p, const char *name)
{
    return p->funcs.at[only(p, name).id].flags & PROG_HIDDEN;
}

// One unit in a library that shows `shown`, a program that calls it, and what is needed by others.
static void what_is_not_exported_is_hidden(void **state)
{
    (void)state;
    Make m[2] = {make("/p/a.c"), make("/p/lib.c")};
    UFuncId shown = func(&m[0], "shown", LINK_EXTERNAL);
    body(&m[0], func(&m[0], "main", LINK_EXTERNAL), (int)shown.id, -1);
    body(&m[0], func(&m[0], "helper", LINK_EXTERNAL), -1);
    body(&m[1], func(&m[1], "shown", LINK_EXTERNAL), -1);
    body(&m[1], func(&m[1], "inner", LINK_EXTERNAL), -1);
    body(&m[1], func(&m[1], "wanted", LINK_EXTERNAL), -1);
    const Unit *units[2] = {done(&m[0]), done(&m[1])};
    const StepInput a_in[] = {{false, false, 0}, {true, false, 1}}, lib_in[] = {{false, false, 1}};
    const char *const list[] = {"shown"}, *const needed[] = {"wanted"};
    LinkStep steps[] = {step("a", LINK_PROGRAM, a_in, 2), step("lib.so", LINK_SHARED, lib_in, 1),
                        step("other.so", LINK_SHARED, lib_in, 1)};
    LinkInfo info = {.units = units, .unit_count = 2, .steps = steps, .step_count = 2, .needed = needed, .needed_count = 1};
    for (int round = 0; round < 5; round++) {
        // Not known; a list; one that is empty; with something unknown beside it; in a library without a list too.
        steps[1].exports_known = round > 0;
        steps[1].exports = list;
        steps[1].export_count = round == 2 ? 0 : 1;
        steps[1].open = round == 3;
        info.step_count = round == 4 ? 3 : 2;
        bool closed = round == 1 || round == 2;
        Arena *arena = arena_new("test");
        Programs programs = link_programs(arena, &info);
        const Program *p = programs.at[0];
        assert_true(is_hidden(p, "helper") && is_hidden(p, "main"));
        assert_int_equal(is_hidden(p, "inner"), closed);
        assert_int_equal(is_hidden(p, "shown"), round == 2);
        assert_false(is_hidden(p, "wanted"));
        programs_free(&programs);
        arena_free(arena);
    }
    for (int i = 0; i < 2; i++) unit_free((Unit *)units[i]);
}

static void components_come_callees_first(void **state)
{
    (void)state;
    Make a = make("/p/a.c");
    UFuncId top = func(&a, "top", LINK_EXTERNAL), even = func(&a, "even", LINK_EXTERNAL),
            odd = func(&a, "odd", LINK_EXTERNAL), leaf = func(&a, "leaf", LINK_EXTERNAL);
    body(&a, top, (int)even.id, 0, -1);
    body(&a, even, (int)odd.id, (int)leaf.id, -1);
    body(&a, odd, (int)even.id, -1);
    body(&a, leaf, -1);
    const Unit *units[] = {done(&a)};
    Arena *arena = arena_new("test");
    Program *p = program_build(arena, "", units, 1);
    assert_int_equal(p->order.len, 4);
    uint32_t scc_of[5];
    for (uint32_t i = 1; i <= 4; i++)
        scc_of[i] = p->funcs.at[program_func(p, 0, (UFuncId){i}).id].scc.id;
    assert_int_equal(scc_of[even.id], scc_of[odd.id]);
    assert_true(scc_of[leaf.id] < scc_of[even.id]);
    assert_true(scc_of[even.id] < scc_of[top.id]);
    Out *o = out_memory();
    program_print_calls(o, p, (FuncId){0});
    assert_string_equal(out_content(o, NULL), "top -> even, <indirect>\nodd (cycle 2) -> even\n"
                                              "even (cycle 2) -> odd, leaf\nleaf\n");
    out_discard(o);
    program_free(p);
    arena_free(arena);
    unit_free(a.u);
}

// A chain far deeper than a recursive walk could stand, closed to a cycle at its end.
static void components_of_a_deep_graph(void **state)
{
    (void)state;
    enum { N = 500000 };
    Arena *arena = arena_new("test");
    uint32_t *first = arena_array_of(arena, uint32_t, N + 1),
             *edges = arena_array_of(arena, uint32_t, N);
    for (uint32_t i = 0; i < N; i++) first[i] = i, edges[i] = i + 1 < N ? i + 1 : N / 2;
    first[N] = N;
    Components c = components_of(arena, N, first, edges);
    assert_int_equal(c.count, N / 2 + 1);
    assert_int_equal(c.of[N - 1], 0);
    assert_int_equal(c.of[N / 2], 0);
    assert_int_equal(c.of[0], N / 2);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strong_beats_weak),
        cmocka_unit_test(static_functions_stay_apart),
        cmocka_unit_test(inline_copies_and_commons_merge),
        cmocka_unit_test(aliases_lead_to_the_code),
        cmocka_unit_test(an_ifunc_may_become_what_its_resolver_names),
        cmocka_unit_test(unknown_links_prefer_the_near_definition),
        cmocka_unit_test(duplicates_resolve_alike_in_any_order),
        cmocka_unit_test(link_steps_keep_programs_apart),
        cmocka_unit_test(what_is_not_exported_is_hidden),
        cmocka_unit_test(components_come_callees_first),
        cmocka_unit_test(components_of_a_deep_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
