// Verdicts of replays: functions as text, findings made by hand. A finding that names the right path
// is witnessed, one that claims what does not happen is refuted, and what cannot be run is undecided.
#include "finding/grounds.h"
#include "finding/pack.h"
#include "witness/replay.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char specs_text[] = "own void *malloc(size_t size) or null size size;\n"
                                 "void free(own void *ptr);\n"
                                 "own char *strdup(const char *s) or null;\n"
                                 "computes text_duplicate strdup;\n";

typedef struct {
    Arena *a;
    Names *names;
    Unit *u;
    Program *p;
    SpecTable *specs;
    Findings *found;
    Facts facts;
} Fixture;

static void begin(Fixture *x, const char *text)
{
    Diag d = {0};
    *x = (Fixture){.a = arena_new("test"), .names = names_new(), .found = findings_new()};
    x->u = unit_parse(text, "test.u", &d);
    assert_non_null(x->u);
    const Unit *units[] = {x->u};
    x->p = program_build(x->a, "", units, 1);
    x->specs = spec_new(x->names);
    assert_true(spec_add_text(x->specs, "test.own", specs_text, strlen(specs_text), SPEC_FROM_MODEL, &d));
    x->facts = (Facts){.program = x->p, .specs = x->specs};
    facts_find(&x->facts, x->a);
}

static void end(Fixture *x)
{
    findings_free(x->found);
    facts_free(&x->facts);
    spec_free(x->specs);
    program_free(x->p);
    unit_free(x->u);
    names_free(x->names);
    arena_free(x->a);
}

static FuncId func(const Fixture *x, const char *name)
{
    U32s into = {0};
    assert_int_equal(program_find(x->p, name, &into), 1);
    FuncId f = {into.at[0]};
    vec_free(&into);
    return f;
}

static Finding *finding(Fixture *x, Rule rule, uint32_t made_by, uint32_t lost_by)
{
    Finding *f = finding_new(x->found, rule, "f", (Pos){0}, (Pos){0});
    f->stages = STAGE_EVAL;
    f->grounds->made_by = made_by;
    f->grounds->lost_by = lost_by;
    return f;
}

static WitnessReplay replay(Fixture *x, const Finding *f)
{
    return witness_replay(x->a, &x->facts, func(x, "f"), f, false, NULL);
}

// if (n > 8) return -1; free(p); return 0;
static const char early[] = "func i32 @f(i32 %n) {\n"
                            "entry:\n"
                            "  %p = call ptr @malloc(i64 8)\n"
                            "  %null = eq %p, null\n"
                            "  branch %null, none, some\n"
                            "none:\n"
                            "  ret -1\n"
                            "some:\n"
                            "  %more = slt 8, %n\n"
                            "  branch %more, out, drop\n"
                            "out:\n"
                            "  ret -1\n"
                            "drop:\n"
                            "  call void @free(%p)\n"
                            "  ret 0\n"
                            "}\n";

static void an_early_return_is_witnessed(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 7);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = true}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 32, .value = 9}));
    WitnessReplay r = replay(&x, f);
    assert_int_equal(r.verdict, REPLAY_WITNESSED);
    assert_string_equal(r.text, "n = 9");
    end(&x);
}

static void the_way_that_frees_is_refuted(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 9);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = false}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 32, .value = 3}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_REFUTED);
    end(&x);
}

// What the replay refutes is for the audit, unless that row is switched off.
static void what_is_refuted_is_for_the_audit(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        Fixture x;
        const char *bad;
        WitnessCounts counts = {0};
        begin(&x, early);
        if (off) assert_true(without_add(&x.found->without, "refuted", &bad));
        assert_int_equal(without_doubt(&x.found->without, DOUBT_REFUTED), off);
        Finding *f = finding(&x, RULE_LEAK, 1, 9);
        vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
        vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = false}));
        witness_findings(&x.facts, func(&x, "f"), x.found, &counts, NULL);
        assert_int_equal(counts.verdicts[REPLAY_REFUTED], 1);
        assert_int_equal(finding_level(f), off ? LEVEL_SURE : LEVEL_AUDIT);
        end(&x);
    }
}

// So is what was likely only, and what no replay shows stays likely.
static void likely_findings_are_refuted_too(void **state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        Fixture x;
        WitnessCounts counts = {0};
        begin(&x, early);
        Finding *f = finding(&x, RULE_LEAK, 1, falls ? 9 : 7);
        finding_doubt(f, DOUBT_OPEN_VALUE, (Pos){0}, NULL);
        vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
        vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = !falls}));
        witness_findings(&x.facts, func(&x, "f"), x.found, &counts, NULL);
        assert_int_equal(counts.verdicts[REPLAY_REFUTED] + counts.verdicts[REPLAY_WITNESSED], 0);
        assert_int_equal(counts.likely[falls ? REPLAY_REFUTED : REPLAY_WITNESSED], 1);
        assert_int_equal(finding_level(f), falls ? LEVEL_AUDIT : LEVEL_LIKELY);
        end(&x);
    }
}

// A path that stands for several: the run was of one of them.
static void merged_paths_are_not_refuted(void **state)
{
    (void)state;
    Fixture x;
    WitnessCounts counts = {0};
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 9);
    finding_doubt(f, DOUBT_MERGED_RELEASE, (Pos){0}, NULL);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = false}));
    witness_findings(&x.facts, func(&x, "f"), x.found, &counts, NULL);
    assert_int_equal(counts.likely[REPLAY_REFUTED], 0);
    assert_int_equal(finding_level(f), LEVEL_LIKELY);
    end(&x);
}

// Code that nobody has seen may have undone it: that it does not happen here says nothing.
static void unknown_code_refutes_nothing(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "declare void @change(ptr)\n"
              "func void @f() {\n"
              "  %p = call ptr @malloc(i64 8)\n"
              "  %q = call ptr @malloc(i64 8)\n"
              "  call void @change(%q)\n"
              "  call void @free(%p)\n"
              "  ret\n"
              "}\n");
    Finding *f = finding(&x, RULE_DOUBLE_FREE, 1, 4);
    WitnessReplay r = replay(&x, f);
    assert_int_equal(r.verdict, REPLAY_UNDECIDED);
    assert_int_equal(r.stop, STOP_UNSEEN);
    end(&x);
}

// The block is there and is not: no run makes these choices.
static void another_way_is_undecided(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 9);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = true}));
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = false}));
    WitnessReplay r = replay(&x, f);
    assert_int_equal(r.verdict, REPLAY_UNDECIDED);
    assert_int_equal(r.stop, STOP_LEFT_PATH);
    end(&x);
}

// A number that does not lead there: the one that the branch compares with is tried.
static void another_number_is_tried(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 7);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = true}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 32, .value = 3}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_WITNESSED);
    end(&x);
}

// Without a model the number that the branch compares with is tried.
static void the_observed_value_goes_back(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, early);
    Finding *f = finding(&x, RULE_LEAK, 1, 7);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 5, .taken = true}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_WITNESSED);
    end(&x);
}

// Memory of the caller: the block is stored where the caller sees it.
static void what_the_caller_reaches_is_not_lost(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "func void @f(ptr %to) {\n"
              "  %p = call ptr @malloc(i64 8)\n"
              "  %at = load ptr %to\n"
              "  store ptr %at, %p\n"
              "  ret\n"
              "}\n");
    Finding *f = finding(&x, RULE_LEAK, 1, 4);
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_RESULT, .fresh = true, .bits = 64, .value = 1}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 64, .value = 4096}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 64, .depth = 1, .value = 8192}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_REFUTED);
    end(&x);
}

static void a_double_free_is_seen_where_it_happens(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "func void @f(ptr %p) {\n"
              "  call void @free(%p)\n"
              "  call void @free(%p)\n"
              "  ret\n"
              "}\n");
    Finding *f = finding(&x, RULE_DOUBLE_FREE, 0, 2);
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 64, .value = 4096}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_WITNESSED);
    f->grounds->lost_by = 1; // elsewhere
    assert_int_not_equal(replay(&x, f).verdict, REPLAY_WITNESSED);
    end(&x);
}

// Whether unseen code keeps the block nobody can say.
static void unknown_code_leaves_it_undecided(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "declare void @keep(ptr)\n"
              "func void @f() {\n"
              "  %p = call ptr @malloc(i64 8)\n"
              "  call void @keep(%p)\n"
              "  ret\n"
              "}\n");
    Finding *f = finding(&x, RULE_LEAK, 1, 3);
    WitnessReplay r = replay(&x, f);
    assert_int_equal(r.verdict, REPLAY_UNDECIDED);
    assert_int_equal(r.stop, STOP_GIVEN);
    end(&x);
}

// A call inside a callee has to fail: it is tried.
static void a_failure_inside_a_callee_is_found(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "func ptr @make() internal {\n"
              "  %q = call ptr @strdup(null)\n"
              "  ret %q\n"
              "}\n"
              "func void @f() {\n"
              "entry:\n"
              "  %p = call ptr @malloc(i64 8)\n"
              "  %q = call ptr @make()\n"
              "  %bad = eq %q, null\n"
              "  branch %bad, lose, good\n"
              "lose:\n"
              "  ret\n"
              "good:\n"
              "  call void @free(%q)\n"
              "  call void @free(%p)\n"
              "  ret\n"
              "}\n");
    Finding *f = finding(&x, RULE_LEAK, 1, 5);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 3, .taken = true}));
    assert_int_equal(replay(&x, f).verdict, REPLAY_WITNESSED);
    end(&x);
}

static void same_word(const WitnessWord *x, const WitnessWord *y)
{
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->bits, y->bits);
    assert_int_equal(x->block, y->block);
    assert_int_equal(x->value, y->value);
    assert_int_equal(x->name != NULL, y->name != NULL);
    if (x->name) assert_string_equal(x->name, y->name);
}

// Inputs, decisions, calls and the heap belong to the finding, and come back from the cache.
static void the_run_is_recorded(void **state)
{
    (void)state;
    Fixture x;
    begin(&x, "declare i32 @ask(ptr)\n"
              "func i32 @f(i32 %n, ptr %s) {\n"
              "entry:\n"
              "  %p = call ptr @malloc(i64 8)\n"
              "  %null = eq %p, null\n"
              "  branch %null, none, some\n"
              "none:\n"
              "  ret -1\n"
              "some:\n"
              "  %at = field ptr %s, 8\n"
              "  %next = load ptr %at\n"
              "  %a = call i32 @ask(%next)\n"
              "  %bad = slt %a, 0\n"
              "  branch %bad, out, drop\n"
              "out:\n"
              "  %q = call ptr @strdup(%next)\n"
              "  ret %n\n"
              "drop:\n"
              "  call void @free(%p)\n"
              "  ret 0\n"
              "}\n");
    Finding *f = finding(&x, RULE_LEAK, 1, 11);
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 2, .taken = false}));
    vec_push(&f->grounds->choices, ((PathChoice){.ins = 8, .taken = true}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .bits = 32, .value = -5}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .number = 1, .bits = 64, .value = 4096}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_PARAM, .number = 1, .bits = 64, .depth = 1,
                                      .offsets = {8}, .value = 8192}));
    vec_push(&f->grounds->inputs, ((PathInput){.root = INPUT_RESULT, .number = 6, .bits = 32, .value = -3}));
    vec_push(&f->grounds->inputs,
             ((PathInput){.root = INPUT_RESULT, .number = 9, .bits = 64, .fresh = true, .value = 0}));
    WitnessReplay r = replay(&x, f);
    assert_int_equal(r.verdict, REPLAY_WITNESSED);
    const Witness *w = r.witness;
    assert_non_null(w);
    assert_string_equal(w->function, "f");
    assert_int_equal(w->arg_count, 2);
    assert_int_equal(w->args[0].word.value, -5);
    assert_int_equal(w->args[1].word.kind, WORD_BLOCK);
    const WitnessBlock *s = &w->blocks[w->args[1].word.block - 1];
    assert_int_equal(s->kind, MEMORY_INPUT);
    assert_int_equal(s->count, 1);
    assert_int_equal(w->cells[s->first].offset, 8);
    assert_int_equal(w->cells[s->first].word.kind, WORD_BLOCK);
    assert_int_equal(w->step_count, 5);
    assert_int_equal(w->steps[0].kind, WITNESS_STEP_CALL);
    assert_string_equal(w->steps[0].symbol, "malloc");
    assert_true(w->steps[0].obtains);
    assert_int_equal(w->steps[1].kind, WITNESS_STEP_BRANCH);
    assert_false(w->steps[1].taken);
    assert_string_equal(w->steps[2].symbol, "ask");
    assert_int_equal(w->steps[2].how, CALL_UNKNOWN);
    assert_int_equal(w->steps[2].word.value, -3);
    assert_int_equal(w->steps[2].keeps, 1);
    assert_true(w->steps[3].taken);
    assert_true(w->steps[4].fails);
    assert_int_equal(w->result.value, -5);
    uint32_t lost = 0;
    for (uint32_t i = 0; i < w->block_count; i++) lost += w->blocks[i].is_lost;
    assert_int_equal(lost, 1);
    assert_string_equal(r.text, "n = -5, strdup() failing");

    Pack out = {0};
    Witness *kept = r.witness;
    pack_witness(&out, &kept, pack_pos);
    for (uint32_t cut = 0; cut < out.out.len; cut++) {
        Witness *read = NULL;
        Pack in = {.reading = true, .at = out.out.at, .end = out.out.at + cut, .arena = x.a};
        pack_witness(&in, &read, pack_pos);
        assert_true(in.bad);
    }
    Witness *read = NULL;
    Pack in = {.reading = true, .at = out.out.at, .end = out.out.at + out.out.len, .arena = x.a};
    pack_witness(&in, &read, pack_pos);
    assert_false(in.bad);
    Witness *copy = witness_copy(x.a, read);
    assert_int_equal(copy->step_count, w->step_count);
    for (uint32_t i = 0; i < w->step_count; i++) same_word(&copy->steps[i].word, &w->steps[i].word);
    for (uint32_t i = 0; i < w->arg_count; i++) same_word(&copy->args[i].word, &w->args[i].word);
    for (uint32_t i = 0; i < w->cell_count; i++) same_word(&copy->cells[i].word, &w->cells[i].word);
    assert_string_equal(witness_words(x.a, copy), r.text);
    vec_free(&out.out);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_early_return_is_witnessed),
        cmocka_unit_test(the_way_that_frees_is_refuted),
        cmocka_unit_test(another_way_is_undecided),
        cmocka_unit_test(another_number_is_tried),
        cmocka_unit_test(what_is_refuted_is_for_the_audit),
        cmocka_unit_test(likely_findings_are_refuted_too),
        cmocka_unit_test(merged_paths_are_not_refuted),
        cmocka_unit_test(unknown_code_refutes_nothing),
        cmocka_unit_test(the_observed_value_goes_back),
        cmocka_unit_test(what_the_caller_reaches_is_not_lost),
        cmocka_unit_test(a_double_free_is_seen_where_it_happens),
        cmocka_unit_test(unknown_code_leaves_it_undecided),
        cmocka_unit_test(a_failure_inside_a_callee_is_found),
        cmocka_unit_test(the_run_is_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
