// Violations of high priority on one path: the evaluation tells them itself, or it gave up and they
// are likely.
#include "check/check.h"
#include "own/own.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char unit_text[] =
    "unit \"/l.c\"\nlanguage \"c\"\ntarget \"x86_64-pc-linux-gnu\"\npointer 8\n"
    "file l.c \"/l.c\"\n"
    "func i32 @lose(i32 %n) ; l.c:3:1 {\n"
    "b0:\n"
    "  %0 = call ptr @get(i64 8) ; l.c:5:15\n"
    "  %1 = slt i32 3, %n ; l.c:6:11\n"
    "  branch %1, b1, b2 ; l.c:6:9\n"
    "b1:\n"
    "  %3 = call i32 @ask(%0) ; l.c:6:23\n"
    "  ret %3 ; l.c:6:16\n"
    "b2:\n"
    "  call void @put(%0) ; l.c:7:5\n"
    "  ret 0 ; l.c:8:5\n"
    "}\n"
    "declare ptr @get(i64) ; l.c:1:1\n"
    "declare i32 @ask(ptr const) ; l.c:1:1\n"
    "declare void @put(ptr) ; l.c:1:1\n";

static const char spec_text[] = "own void *get(unsigned long n);\nvoid put(own void *p);\n";

static void check_without(uint64_t budget, uint32_t stages, Level level, bool audit,
                          const Without *without)
{
    Diag d = {0};
    Unit *u = unit_parse(unit_text, "l.u", &d);
    assert_non_null(u);
    Names *names = names_new();
    SpecTable *specs = spec_new(names);
    assert_true(spec_add_text(specs, "l.own", spec_text, strlen(spec_text), SPEC_FROM_USER, &d));
    Arena *a = arena_new("test");
    const Unit *units[] = {u};
    Program *p = program_build(a, "l", units, 1);
    Findings *fs = findings_new();
    fs->without = *without;
    Own *own = own_new(p, &(OwnOptions){.specs = specs, .audit = audit});
    own_run(own, fs);
    Eval *e = eval_new(p, &(EvalOptions){.specs = specs, .step_budget = budget, .threads = 1});
    eval_run(e, fs);
    own_settle(own, e);
    check_merge(fs);
    assert_int_equal(fs->all.len, 1);
    assert_int_equal(fs->all.at[0]->rule, RULE_LEAK);
    assert_int_equal(finding_level(fs->all.at[0]), level);
    assert_int_equal(fs->all.at[0]->stages, stages);
    assert_int_equal(fs->all.at[0]->lost.line, 6);
    eval_free(e);
    own_free(own);
    findings_free(fs);
    program_free(p);
    arena_free(a);
    spec_free(specs);
    names_free(names);
    unit_free(u);
}

static void check(uint64_t budget, uint32_t stages, Level level, bool audit)
{
    check_without(budget, stages, level, audit, &(Without){0});
}

static void evaluation_tells(void **state)
{
    (void)state;
    check(0, STAGE_EVAL, LEVEL_SURE, false);
    check(0, STAGE_EVAL | STAGE_OWN, LEVEL_SURE, true);
}

static void evaluation_gave_up(void **state)
{
    (void)state;
    check(2, STAGE_OWN, LEVEL_LIKELY, false);
    check(2, STAGE_OWN, LEVEL_LIKELY, true);
}

// Nothing else speaks against it.
static void nobody_minds(void **state)
{
    (void)state;
    Without without = {0};
    const char *bad;
    assert_true(without_add(&without, "gave-up", &bad));
    assert_true(without_doubt(&without, DOUBT_GAVE_UP));
    check_without(2, STAGE_OWN, LEVEL_SURE, false, &without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_tells),
        cmocka_unit_test(evaluation_gave_up),
        cmocka_unit_test(nobody_minds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
