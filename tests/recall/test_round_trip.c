// A summary as bytes and back says the same. The rows of case.def, object.def and error.def are gone through:
// each field in turn is given another value, which must arrive, and which summary_same must see. A row
// that packing or comparing forgets fails here.
#include "recall/recall.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char unit_text[] = "unit \"/l.c\"\nlanguage \"c\"\ntarget \"x86_64-pc-linux-gnu\"\n"
                                "pointer 8\nfile l.c \"/l.c\"\n"
                                "func i32 @f(i32 %n) ; l.c:3:1 {\nb0:\n  ret 0 ; l.c:4:5\n}\n"
                                "func i32 @h(i32 %n) ; l.c:8:1 {\nb0:\n  ret 0 ; l.c:9:5\n}\n";
static const char spec_text[] = "family thing by put;\nown(thing) void *get(void);\n"
                                "void put(own(thing) void *p);\n";

typedef struct {
    Unit *unit;
    Names *names;
    SpecTable *specs;
    Arena *arena;
    Program *program;
    Facts facts;
    Stable *stable;
    PackSummary context;
    Terms terms;
    Term x, y;
} Fixture;

static void set_up(Fixture *k)
{
    static const Unit *units[1];
    Diag d = {0};
    *k = (Fixture){.unit = unit_parse(unit_text, "l.u", &d), .names = names_new()};
    assert_non_null(k->unit);
    k->specs = spec_new(k->names);
    assert_true(
        spec_add_text(k->specs, "l.own", spec_text, strlen(spec_text), SPEC_FROM_USER, &d));
    k->arena = arena_new("test");
    units[0] = k->unit;
    k->program = program_build(k->arena, "l", units, 1);
    k->facts = (Facts){.program = k->program, .specs = k->specs};
    facts_find(&k->facts, k->arena);
    k->stable = stable_new(&k->facts);
    k->context = (PackSummary){k->stable, k->specs, k->program};
    terms_init(&k->terms, 64);
    // Blocks, which may stand wherever a term may; reading refuses an object that is none.
    k->x = term_leaf(&k->terms, T_HEAP, 64, 0, 0, 0, 0);
    k->y = term_leaf(&k->terms, T_HEAP, 64, 1, 0, 0, 0);
}

static void tear_down(Fixture *k)
{
    terms_free(&k->terms);
    stable_free(k->stable);
    facts_free(&k->facts);
    program_free(k->program);
    arena_free(k->arena);
    spec_free(k->specs);
    names_free(k->names);
    unit_free(k->unit);
}

// ---- One value of each type, and another.

static Pos some_pos(uint32_t line)
{
    return (Pos){"/elsewhere.c", line, 7};
}
static Guard some_Guard(Fixture *k, bool other)
{
    return (Guard){other ? k->y : k->x,
                   {.smin = -1, .smax = 9, .umin = 0, .umax = 11, .not = {other ? 5 : 4}, .not_count = 1}};
}
static Term some_Term(Fixture *k, bool other)
{
    return other ? k->y : k->x;
}
static Effect some_Effect(Fixture *k, bool other)
{
    return (Effect){k->x, 8, other ? 8 : 4, k->y};
}
static const Origin *some_origin(Fixture *k)
{
    Origin *inner = arena_new_of(k->arena, Origin), *outer = arena_new_of(k->arena, Origin);
    *inner = (Origin){NULL, some_pos(4), "inner", 1, "n > 0", some_pos(3), true, false};
    *outer = (Origin){inner, some_pos(5), "outer", 2, NULL, {0}, false, true};
    return outer;
}
static Release some_Release(Fixture *k, bool other)
{
    return (Release){k->x, {1}, other ? NULL : some_origin(k)};
}
static Move some_Move(Fixture *k, bool other)
{
    return (Move){k->x, other ? k->x : k->y};
}
static Declined some_Declined(Fixture *k, bool other)
{
    return (Declined){1, other ? DECLINED_ITSELF : 8, some_origin(k), !other};
}
static ObjInfo some_ObjInfo(Fixture *k, bool other)
{
    return (ObjInfo){.term = k->x,
                     .family = {1},
                     .allocator = "get",
                     .ins = other ? 4 : 3,
                     .pos = some_pos(6),
                     .origin = some_origin(k),
                     .fail = SPEC_OR_VALUE,
                     .fail_value = -1,
                     .size = k->y,
                     .believed = "nobody keeps it"};
}
static Clauses some_ways(Fixture *k, bool other)
{
    Clauses r = {.at = arena_array_of(k->arena, Clause, 1), .count = 1};
    r.at[0] = (Clause){arena_array_of(k->arena, Guard, 1), 1};
    r.at[0].guards[0] = some_Guard(k, other);
    return r;
}

static Case some_case(Fixture *k)
{
    Case c = {0};
#define LIST(type, name, count, least, kind, join, word)                                           \
    c.name = arena_array_of(k->arena, type, 2);                                                    \
    c.count = 2;                                                                                   \
    c.name[0] = c.name[1] = some_##type(k, false);
#define WAYS(name, join) c.name = some_ways(k, false);
#define TERM(name, join) c.name = k->x;
#define FLAG(name, join)
#define NUMBER(name, join) c.name = 3;
#define TEXT(name, join) c.name = "one";
#define DOUBTS(name) c.name.rows = (DoubtRows){{5, 1}};
#include "summary/case.def"
#include "summary/rows_end.h"
    return c;
}

// Through the bytes. The result lives in `a`.
static Summary *round_trip(Fixture *k, Summary *sum, Arena *a)
{
    Pack out = {.context = &k->context};
    pack_summary(&out, sum);
    Summary *back = arena_new_of(a, Summary);
    back->func = sum->func;
    Pack in = {.reading = true,
               .at = out.out.at,
               .end = out.out.at + out.out.len,
               .arena = a,
               .context = &k->context};
    pack_summary(&in, back);
    assert_false(in.bad);
    assert_ptr_equal(in.at, in.end);
    vec_free(&out.out);
    return back;
}

// The changed case arrives as it is, and is told apart from the one before the change.
static void check_change(Fixture *k, const Case *before, Case *after, const char *field)
{
    Summary sum = {.func = {1}, .param_count = 1, .known = true, .terms = k->terms, .cases = after, .case_count = 1};
    Case few = *after;
    sum.few = &few;
    sum.few_count = 1;
    Arena *a = arena_new("round trip");
    Summary *back = round_trip(k, &sum, a);
    if (case_same(before, after)) fail_msg("case_same does not look at '%s'", field);
    if (!summary_same(&sum, back)) fail_msg("'%s' is lost on the way", field);
    if (case_same(before, &back->cases[0])) fail_msg("'%s' is not written", field);
    terms_free(&back->terms);
    arena_free(a);
}

static void every_field_of_a_case(void **state)
{
    (void)state;
    Fixture k;
    set_up(&k);
    Case before = some_case(&k), c;
#define BEGIN c = some_case(&k);
#define END(name) check_change(&k, &before, &c, #name);
#define LIST(type, name, count, least, kind, join, word)                                           \
    BEGIN c.name[1] = some_##type(&k, true);                                                       \
    END(name) BEGIN c.count = 1;                                                                   \
    END(count)
#define WAYS(name, join)                                                                           \
    BEGIN c.name = some_ways(&k, true);                                                            \
    END(name) BEGIN c.name.unknown = true;                                                         \
    END(name)
#define TERM(name, join)                                                                           \
    BEGIN c.name = k.y;                                                                            \
    END(name)
#define FLAG(name, join)                                                                           \
    BEGIN c.name = !c.name;                                                                        \
    END(name)
#define NUMBER(name, join)                                                                         \
    BEGIN c.name++;                                                                                \
    END(name)
#define TEXT(name, join)                                                                           \
    BEGIN c.name = "other";                                                                        \
    END(name) BEGIN c.name = NULL;                                                                 \
    END(name)
#define DOUBTS(name)                                                                               \
    BEGIN c.name.rows.words[0] ^= 2;                                                               \
    END(name) BEGIN c.name.rows.words[1] ^= 1;                                                     \
    END(name)
#include "summary/case.def"
#include "summary/rows_end.h"
    tear_down(&k);
}

static void every_field_of_an_object(void **state)
{
    (void)state;
    Fixture k;
    set_up(&k);
    Case before = some_case(&k), c;
    ObjInfo *o;
#undef BEGIN
#define BEGIN                                                                                      \
    c = some_case(&k);                                                                             \
    o = &c.objects[1];
#define TERM(name)                                                                                 \
    BEGIN o->name = term_same(o->name, k.x) ? k.y : k.x;                                           \
    END(name)
#define FAMILY(name)                                                                               \
    BEGIN o->name.id = 0;                                                                          \
    END(name)
#define TEXT(name)                                                                                 \
    BEGIN o->name = "other";                                                                       \
    END(name)
#define NUMBER(name)                                                                               \
    BEGIN o->name++;                                                                               \
    END(name)
#define PLACE(name)                                                                                \
    BEGIN o->name = some_pos(60);                                                                  \
    END(name)
#define ORIGIN(name)                                                                               \
    BEGIN o->name = o->name->inner;                                                                \
    END(name)
#define FAIL(name)                                                                                 \
    BEGIN o->name = (SpecFail)0;                                                                   \
    END(name)
#define VALUE(name)                                                                                \
    BEGIN o->name--;                                                                               \
    END(name)
#define FLAG(name)                                                                                 \
    BEGIN o->name = !o->name;                                                                      \
    END(name)
#define TEMPORARY(name)
#include "summary/object.def"
#include "summary/rows_end.h"
    tear_down(&k);
}

static ErrorCase some_error(Fixture *k)
{
    ErrorCase e = {0};
#define LIST(type, name, count, least, kind, join, word)                                           \
    e.name = arena_array_of(k->arena, type, 2);                                                    \
    e.count = 2;                                                                                   \
    e.name[0] = e.name[1] = some_##type(k, false);
#define FUNC(name, join) e.name = (FuncId){1};
#define NUMBER(name, join) e.name = 3;
#define FLAG(name, join)
#include "summary/error.def"
#include "summary/rows_end.h"
    return e;
}

static void check_error(Fixture *k, ErrorCase *before, ErrorCase *after, const char *field)
{
    Summary sum = {.func = {1}, .param_count = 1, .known = true, .terms = k->terms, .errors = after, .error_count = 1};
    Summary old = sum;
    old.errors = before;
    Arena *a = arena_new("round trip");
    Summary *back = round_trip(k, &sum, a);
    if (summary_same(&old, &sum)) fail_msg("summary_same does not look at '%s'", field);
    if (!summary_same(&sum, back)) fail_msg("'%s' is lost on the way", field);
    if (summary_same(&old, back)) fail_msg("'%s' is not written", field);
    terms_free(&back->terms);
    arena_free(a);
}

static void every_field_of_an_error(void **state)
{
    (void)state;
    Fixture k;
    set_up(&k);
    ErrorCase before = some_error(&k), e;
#undef BEGIN
#undef END
#define BEGIN e = some_error(&k);
#define END(name) check_error(&k, &before, &e, #name);
#define LIST(type, name, count, least, kind, join, word)                                           \
    BEGIN e.name[1] = some_##type(&k, true);                                                       \
    END(name) BEGIN e.count = 1;                                                                   \
    END(count)
#define FUNC(name, join)                                                                           \
    BEGIN e.name = (FuncId){2};                                                                    \
    END(name)
#define NUMBER(name, join)                                                                         \
    BEGIN e.name++;                                                                                \
    END(name)
#define FLAG(name, join)                                                                           \
    BEGIN e.name = !e.name;                                                                        \
    END(name)
#include "summary/error.def"
#include "summary/rows_end.h"
    tear_down(&k);
}

// What is known of a closed summary: what became of error cases at calls, and which blocks were reached.
static void error_calls(void **state)
{
    (void)state;
    Fixture k;
    set_up(&k);
    ErrorCase e = some_error(&k);
    PathInput input = {.root = INPUT_GLOBAL, .depth = 1, .bits = 32, .offsets = {4}, .value = -7, .global = "g"};
    PathChoice choice = {2, true, 5};
    ErrorCall call = {.ins = 0, .callee = {2}, .error = 5, .fate = FATE_OPEN, .null = true,
                      .inputs = &input, .input_count = 1, .choices = &choice, .choice_count = 1,
                      .no_model = true};
    Bits reached = bits_new(k.arena, 1);
    bits_add(&reached, 0);
    ErrorMark mark = {.number = 7, .here = true, .of_null = true};
    Summary sum = {.func = {1}, .known = true, .incomplete = true, .reached = reached, .terms = k.terms, .errors = &e, .error_count = 1, .error_marks = &mark, .error_calls = &call, .error_call_count = 1};
    Summary back = {.func = {1}};
    Pack out = {.context = &k.context};
    pack_closed(&out, &sum);
    Pack in = {.reading = true, .at = out.out.at, .end = out.out.at + out.out.len, .arena = k.arena, .context = &k.context};
    pack_closed(&in, &back);
    assert_false(in.bad);
    assert_ptr_equal(in.at, in.end);
    assert_true(back.known && back.incomplete && !back.stuck && bits_has(&back.reached, 0));
    assert_int_equal(back.error_count, 1);
    assert_int_equal(back.error_marks[0].number, 7);
    assert_true(back.error_marks[0].here && back.error_marks[0].of_null && !back.error_marks[0].null);
    assert_int_equal(back.error_call_count, 1);
    const ErrorCall *c = back.error_calls;
    assert_int_equal(c->callee.id, 2);
    assert_int_equal(c->error, 5);
    assert_int_equal(c->fate, FATE_OPEN);
    assert_true(c->null && c->no_model && c->choices[0].taken);
    assert_int_equal(c->choices[0].ins, 2);
    assert_int_equal(c->inputs[0].value, -7);
    assert_string_equal(c->inputs[0].global, "g");
    // One that names an error case which is not there is refused.
    vec_clear(&out.out);
    sum.error_count = 0;
    pack_closed(&out, &sum);
    in = (Pack){.reading = true, .at = out.out.at, .end = out.out.at + out.out.len, .arena = k.arena, .context = &k.context};
    pack_closed(&in, &back);
    assert_true(in.bad);
    vec_free(&out.out);
    tear_down(&k);
}

// Damaged bytes are refused, whatever is cut off.
static void cut_short(void **state)
{
    (void)state;
    Fixture k;
    set_up(&k);
    Case c = some_case(&k);
    Summary sum = {.func = {1}, .param_count = 1, .known = true, .terms = k.terms, .cases = &c, .case_count = 1};
    Pack out = {.context = &k.context};
    pack_summary(&out, &sum);
    for (uint32_t len = 0; len < out.out.len; len++) {
        Arena *a = arena_new("cut");
        Summary *back = arena_new_of(a, Summary);
        back->func = sum.func;
        Pack in = {.reading = true,
                   .at = out.out.at,
                   .end = out.out.at + len,
                   .arena = a,
                   .context = &k.context};
        pack_summary(&in, back);
        assert_true(in.bad);
        terms_free(&back->terms);
        arena_free(a);
    }
    vec_free(&out.out);
    tear_down(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_a_case),
        cmocka_unit_test(every_field_of_an_object),
        cmocka_unit_test(every_field_of_an_error),
        cmocka_unit_test(error_calls),
        cmocka_unit_test(cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
