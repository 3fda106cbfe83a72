// What happens between the stages and the reports: merging, ranking, fingerprints under edits,
// suppressions, baselines, history.
#include "../report/findings.h"

#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const char *dir;
    Diag diag;
} Setup;

static int setup(void **state)
{
    Setup *s = mem_alloc(sizeof *s);
    s->arena = arena_new("test");
    const char *tmp = getenv("TMP");
    char *pattern = arena_printf(s->arena, "%s/check.XXXXXX", tmp ? tmp : "/tmp");
    s->dir = mkdtemp(pattern);
    assert_non_null(s->dir);
    s->diag.quiet = true;
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    Setup *s = *state;
    char *command = arena_printf(s->arena, "rm -rf '%s'", s->dir);
    assert_int_equal(system(command), 0);
    arena_free(s->arena);
    mem_free(s);
    return 0;
}

static const char *file_with(Setup *s, const char *name, const char *text)
{
    const char *path = path_join(s->arena, s->dir, name);
    assert_int_equal(file_make_dirs(path_dir(s->arena, path)), 0);
    Out *o = out_file(path);
    assert_non_null(o);
    out_text(o, text);
    assert_int_equal(out_close(o), 0);
    return path;
}

// The line on which `mark` stands.
static uint32_t line_with(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    assert_non_null(found);
    uint32_t line = 1;
    for (const char *p = text; p < found; p++) line += *p == '\n';
    return line;
}

static CheckOptions options(Setup *s)
{
    return (CheckOptions){.level = LEVEL_AUDIT, .root = s->dir};
}

// --- merging -----------------------------------------------------------------------------------

static void many_paths_are_one_finding_with_the_shortest_path(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    Finding *f = some_leak(fs, "/a.c", "f", 3, 9);
    finding_branch(f, at("/a.c", 5, 1), "x", true);
    f->error_exit = true;
    f = some_leak(fs, "/a.c", "f", 3, 9);
    f->error_exit = true;
    f->in_loop = true;
    f = some_leak(fs, "/a.c", "f", 3, 9);
    finding_branch(f, at("/a.c", 5, 1), "x", false);
    finding_branch(f, at("/a.c", 6, 1), "y", false);
    some_leak(fs, "/a.c", "f", 3, 12); // lost elsewhere
    some_leak(fs, "/b.c", "f", 3, 9);  // another file
    check_merge(fs);
    assert_int_equal(fs->all.len, 3);
    assert_int_equal(fs->all.at[0]->merged, 3);
    assert_int_equal(fs->all.at[0]->events.len, 2);
    assert_false(fs->all.at[0]->error_exit); // the third path is none
    assert_true(fs->all.at[0]->in_loop);
    assert_int_equal(fs->all.at[1]->merged, 1);
    findings_free(fs);
}

static void coarser_stages_agree_instead_of_repeating(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    some_leak(fs, "/a.c", "f", 3, 20)->stages = STAGE_OWN;
    some_leak(fs, "/a.c", "f", 3, 9);
    some_leak(fs, "/a.c", "f", 3, 11)->stages = STAGE_FLOW;
    some_leak(fs, "/a.c", "f", 4, 11)->stages = STAGE_FLOW; // of another allocation
    Finding *f = some_leak(fs, "/a.c", "f", 3, 9);          // of another rule
    f->rule = RULE_DOUBLE_FREE;
    f->stages = STAGE_OWN;
    check_merge(fs);
    assert_int_equal(fs->all.len, 3);
    assert_int_equal(fs->all.at[0]->stages, STAGE_EVAL | STAGE_FLOW | STAGE_OWN);
    assert_int_equal(fs->all.at[0]->merged, 3);
    assert_int_equal(fs->all.at[1]->alloc.line, 4);
    assert_int_equal(fs->all.at[2]->rule, RULE_DOUBLE_FREE);
    findings_free(fs);
}

static Finding *some_use(Findings *fs, const char *function, uint32_t freed, uint32_t used)
{
    Finding *f = finding_at(fs, RULE_USE_AFTER_FREE, LEVEL_SURE, function, at("/a.c", 3, 1),
                             at("/a.c", used, 1));
    f->freed = at("/a.c", freed, 1);
    return f;
}

static void uses_behind_one_release_are_one_finding(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    some_use(fs, "f", 5, 7);
    some_use(fs, "f", 5, 6);
    some_use(fs, "f", 5, 9);
    some_use(fs, "f", 8, 10); // behind another release
    some_use(fs, "g", 5, 11); // in another function
    some_use(fs, "f", 5, 12)->rule = RULE_DOUBLE_FREE; // a misuse of its own
    check_merge(fs);
    check_rank(fs);
    check_join(fs);
    uint32_t told = 0, joined = 0;
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (f->state == FINDING_JOINED)
            joined++;
        else
            told++;
        if (f->lost.line == 6) assert_int_equal(f->state, FINDING_NEW);
    }
    assert_int_equal(told, 4);
    assert_int_equal(joined, 2);
    findings_free(fs);
}

static uint32_t told_of(const Findings *fs)
{
    uint32_t told = 0;
    vec_each (i, &fs->all) told += fs->all.at[i]->state == FINDING_NEW;
    return told;
}

static uint32_t events_of(const Finding *f, EventKind kind)
{
    uint32_t count = 0;
    vec_each (i, &f->events) count += f->events.at[i].kind == kind;
    return count;
}

static void what_is_lost_at_one_place_is_one_finding(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    some_leak(fs, "/a.c", "f", 3, 9);
    some_leak(fs, "/a.c", "f", 4, 9);  // another block, the same place
    some_leak(fs, "/a.c", "f", 3, 12); // the first block, another place
    some_leak(fs, "/a.c", "f", 5, 12); // a third one there
    some_leak(fs, "/a.c", "f", 20, 30);
    some_leak(fs, "/a.c", "g", 4, 9)->rule = RULE_RESOURCE_LEAK;
    check_merge(fs);
    check_rank(fs);
    check_join(fs);
    assert_int_equal(told_of(fs), 3);
    const Finding *f = fs->all.at[0];
    assert_int_equal(f->lost.line, 9);
    assert_int_equal(events_of(f, EVENT_PART), 2);
    assert_int_equal(events_of(f, EVENT_ALSO), 1);
    findings_free(fs);
}

static void what_a_callee_forgets_is_one_finding(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    for (uint32_t i = 0; i < 9; i++) {
        Finding *f = some_leak(fs, "/a.c", i % 2 ? "odd" : "even", 10 * i + 1, 10 * i + 2);
        f->loss = i < 8 ? LOSS_OWNER : LOSS_SCOPE;
        finding_loser(f, "node_free", at("/node.c", 40, 1));
    }
    check_merge(fs);
    check_rank(fs);
    check_join(fs);
    assert_int_equal(told_of(fs), 2); // the last one is lost by its caller
    const Finding *f = fs->all.at[0];
    assert_string_equal(f->function, "node_free");
    assert_string_equal(f->lost.path, "/node.c");
    assert_int_equal(f->callers, 8);
    assert_int_equal(events_of(f, EVENT_ALSO), 4);
    findings_free(fs);
}

static void ranking_puts_the_certain_first_and_at_exit_last(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    Finding *held = some_leak(fs, "/a.c", "at_exit", 1, 1);
    held->rule = RULE_LEAK_AT_EXIT;
    finding_doubt(held, DOUBT_MAIN_RETURNS, held->lost, NULL);
    Finding *ends = some_leak(fs, "/a.c", "main", 1, 2);
    finding_doubt(ends, DOUBT_MAIN_RETURNS, ends->lost, NULL);
    Finding *rare = some_leak(fs, "/a.c", "once", 1, 3);
    finding_doubt(rare, DOUBT_RUNS_ONCE, rare->lost, NULL);
    Finding *failing = some_leak(fs, "/a.c", "memory_short", 1, 4);
    finding_doubt(failing, DOUBT_NO_MEMORY, failing->lost, NULL);
    finding_doubt(some_leak(fs, "/a.c", "likely", 2, 2), DOUBT_MERGED_TEST, at("/a.c", 2, 2), NULL);
    some_leak(fs, "/a.c", "error_exit", 3, 3)->error_exit = true;
    some_leak(fs, "/a.c", "plain", 4, 4);
    some_leak(fs, "/a.c", "main_path", 5, 5)->main_path = true;
    some_leak(fs, "/a.c", "loop", 6, 6)->in_loop = true;
    check_merge(fs);
    check_rank(fs);
    const char *want[] = {"loop", "main_path", "plain", "error_exit", "likely", "memory_short",
                          "once", "main",      "at_exit"};
    for (uint32_t i = 0; i < 9; i++) assert_string_equal(fs->all.at[i]->function, want[i]);
    findings_free(fs);
}

static void folding_keeps_the_ends_and_the_branches(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    Finding *f = finding_at(fs, RULE_LEAK, LEVEL_SURE, "f", at("/a.c", 1, 1), at("/a.c", 99, 1));
    finding_event(f, EVENT_ALLOC, at("/a.c", 1, 1), "obtained");
    for (uint32_t i = 0; i < 6; i++) {
        finding_event(f, EVENT_CALL, at("/a.c", 10 * i + 2, 1), "g is called");
        finding_event(f, EVENT_BRANCH, at("/b.c", 1, 1), "inside of g")->depth = 1;
        finding_event(f, EVENT_STORE, at("/a.c", 10 * i + 3, 1), "stored");
        finding_branch(f, at("/a.c", 10 * i + 4, 1), "x", true);
    }
    finding_event(f, EVENT_BRANCH, at("/b.c", 2, 1), "by which g decides")->depth = 1;
    finding_event(f, EVENT_FREE, at("/b.c", 3, 1), "freed inside of g")->depth = 1;
    finding_event(f, EVENT_LOST, at("/a.c", 99, 1), "lost");
    check_fold(fs, 0);
    uint32_t shown = 0, branches = 0;
    vec_each (i, &f->events) {
        const Event *e = &f->events.at[i];
        shown += !e->folded;
        branches += !e->folded && e->kind == EVENT_BRANCH;
        // Of what a callee does, the release is shown, and the branch that decides about it.
        if (e->depth) assert_int_equal(e->folded, e->pos.line == 1);
    }
    assert_int_equal(shown, 10);
    assert_int_equal(branches, 7);
    assert_false(f->events.at[0].folded);
    assert_false(vec_last(&f->events).folded);
    findings_free(fs);
}

static void folding_takes_callers_far_out_first(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    Finding *f = finding_at(fs, RULE_LEAK, LEVEL_SURE, "f", at("/a.c", 20, 1), at("/a.c", 99, 1));
    for (uint32_t i = 0; i < 9; i++) finding_event(f, EVENT_CALL, at("/a.c", i + 1, 1), "called");
    finding_event(f, EVENT_ALLOC, at("/a.c", 20, 1), "obtained");
    finding_event(f, EVENT_NOTE, at("/a.c", 30, 1), "realloc() fails");
    finding_event(f, EVENT_LOST, at("/a.c", 99, 1), "lost");
    check_fold(fs, 0);
    vec_each (i, &f->events) assert_int_equal(f->events.at[i].folded, i < 2);
    findings_free(fs);
}

static void rules_are_chosen_by_words(void **state)
{
    Setup *s = *state;
    uint32_t off = 0;
    assert_true(check_rules("-leak,-double-free", &off, &s->diag));
    assert_int_equal(off, 1u << RULE_LEAK | 1u << RULE_DOUBLE_FREE);
    assert_true(check_rules("+leak", &off, &s->diag));
    assert_int_equal(off, 1u << RULE_DOUBLE_FREE);
    assert_true(check_rules("leak,resource-leak", &off, &s->diag));
    assert_int_equal(~off & ((1u << RULE_COUNT) - 1), 1u << RULE_LEAK | 1u << RULE_RESOURCE_LEAK);
    assert_false(check_rules("leek", &off, &s->diag));
    assert_false(check_rules("-", &off, &s->diag));
}

// --- fingerprints ------------------------------------------------------------------------------

static const char program[] = "char *first(const char *t, int c)\n"
                              "{\n"
                              "    int other = 1;\n"
                              "    char *s = strdup(t); // ALLOC\n"
                              "    if (c < other)\n"
                              "        return 0; /* LOST */\n"
                              "    return s;\n"
                              "}\n";

static void fingerprint_of(Setup *s, const char *name, const char *text, char fingerprint[33])
{
    const char *path = file_with(s, name, text);
    Findings *fs = findings_new();
    Sources *sources = sources_new();
    some_leak(fs, path, "first", line_with(text, "ALLOC"), line_with(text, "LOST"));
    check_merge(fs);
    check_fingerprint(fs, sources);
    memcpy(fingerprint, fs->all.at[0]->fingerprint, 33);
    findings_free(fs);
    sources_free(sources);
}

static char *replaced(Arena *a, const char *text, const char *from, const char *to)
{
    const char *found = strstr(text, from);
    assert_non_null(found);
    return arena_printf(a, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
}

static void fingerprints_survive_edits_elsewhere(void **state)
{
    Setup *s = *state;
    char base[33], other[33];
    fingerprint_of(s, "a.c", program, base);
    assert_int_equal(strlen(base), 32);
    // Lines above and below.
    char *text = arena_printf(s->arena, "#include <string.h>\n\nint x;\n%s\nint y;\n", program);
    fingerprint_of(s, "a.c", text, other);
    assert_string_equal(other, base);
    // A line between allocation and loss.
    fingerprint_of(s, "a.c", replaced(s->arena, program, "    if", "    puts(t);\n    if"), other);
    assert_string_equal(other, base);
    // Another variable renamed.
    text = replaced(s->arena, program, "other", "least");
    text = replaced(s->arena, text, "other", "least");
    fingerprint_of(s, "a.c", text, other);
    assert_string_equal(other, base);
    // Indentation and comments.
    text = replaced(s->arena, program, "    char *s = strdup(t); // ALLOC",
                    "\tchar  *s=strdup( t ); /* from the pool */ // ALLOC");
    fingerprint_of(s, "a.c", text, other);
    assert_string_equal(other, base);
    // A moved and renamed file.
    fingerprint_of(s, "deep/down/b.c", program, other);
    assert_string_equal(other, base);
}

static void fingerprints_tell_defects_apart(void **state)
{
    Setup *s = *state;
    char base[33], other[33];
    fingerprint_of(s, "a.c", program, base);
    fingerprint_of(s, "a.c", replaced(s->arena, program, "strdup(t)", "strdup(t + 1)"), other);
    assert_string_not_equal(other, base);
    fingerprint_of(s, "a.c", replaced(s->arena, program, "return 0", "return NULL"), other);
    assert_string_not_equal(other, base);

    // Twins: the same lines twice.
    const char *path = file_with(s, "t.c", "p = f();\nreturn;\np = f();\nreturn;\n");
    Findings *fs = findings_new();
    Sources *sources = sources_new();
    some_leak(fs, path, "g", 3, 4);
    some_leak(fs, path, "g", 1, 2);
    check_merge(fs);
    check_fingerprint(fs, sources);
    assert_string_not_equal(fs->all.at[0]->fingerprint, fs->all.at[1]->fingerprint);
    findings_free(fs);
    sources_free(sources);
}

// --- suppressions ------------------------------------------------------------------------------

// Checks a leak allocated on the line with ALLOC and lost on the line with LOST.
static FindingState state_of(Setup *s, const char *text, const char *suppress_file,
                             uint32_t *warnings)
{
    const char *path = file_with(s, "src/s.c", text);
    Findings *fs = findings_new();
    Sources *sources = sources_new();
    findings_source(fs, path);
    some_leak(fs, path, "first", line_with(text, "ALLOC"), line_with(text, "LOST"));
    CheckOptions o = options(s);
    if (suppress_file) vec_push(&o.suppress_files, file_with(s, "stanch.suppress", suppress_file));
    s->diag.warnings = s->diag.errors = 0;
    assert_true(check_run(fs, &o, sources, &s->diag));
    FindingState result = fs->all.at[0]->state;
    if (result == FINDING_SUPPRESSED && !s->diag.warnings)
        assert_string_equal(fs->all.at[0]->suppressed_by, "kept on purpose");
    *warnings = s->diag.warnings;
    vec_free(&o.suppress_files);
    findings_free(fs);
    sources_free(sources);
    return result;
}

static void comments_suppress_on_and_above_the_line(void **state)
{
    Setup *s = *state;
    static const struct {
        const char *text;
        FindingState state;
        uint32_t warnings;
    } rows[] = {
        {"p = ALLOC; // stanch: ignore[leak] kept on purpose\nLOST;\n", FINDING_SUPPRESSED, 0},
        {"p = ALLOC;\nLOST; // stanch: ignore[leak] kept on purpose\n", FINDING_SUPPRESSED, 0},
        {"p = ALLOC;\n  // stanch: ignore[leak] kept on purpose\n\n  // more\nLOST;\n",
         FINDING_SUPPRESSED, 0},
        {"/* stanch: ignore[double-free, leak] kept on purpose */\np = ALLOC;\nLOST;\n",
         FINDING_SUPPRESSED, 0},
        {"/* stanch: ignore kept on purpose */ p = ALLOC;\nLOST;\n", FINDING_SUPPRESSED, 0},
        {"/*\n * stanch: ignore[leak] kept on purpose\n */\np = ALLOC;\nLOST;\n",
         FINDING_SUPPRESSED, 0},
        {"p = ALLOC; //stanch:ignore[leak]kept on purpose\r\nLOST;\r\n", FINDING_SUPPRESSED, 0},
        // No reason: suppressed, with a warning.
        {"p = ALLOC; // stanch: ignore[leak]\nLOST;\n", FINDING_SUPPRESSED, 1},
        // Matches nothing: another rule, another line, code before it.
        {"p = ALLOC; // stanch: ignore[double-free] why\nLOST;\n", FINDING_NEW, 1},
        {"p = ALLOC;\nx; // stanch: ignore[leak] why\nLOST;\n", FINDING_NEW, 1},
        {"p = ALLOC;\nLOST;\n// stanch: ignore[leak] at the end\n", FINDING_NEW, 1},
        // Unknown rule, missing bracket.
        {"p = ALLOC; // stanch: ignore[leek] why\nLOST;\n", FINDING_NEW, 1},
        {"p = ALLOC; // stanch: ignore[leak why\nLOST;\n", FINDING_NEW, 1},
        // No suppressions at all: strings, prose, other words.
        {"p = ALLOC(\"// stanch: ignore[leak] no\");\nLOST;\n", FINDING_NEW, 0},
        {"p = ALLOC; // write stanch: ignore[leak] here\nLOST;\n", FINDING_NEW, 0},
        {"p = ALLOC; // stanch: ignored\nLOST;\n", FINDING_NEW, 0},
        {"p = ALLOC; '\"'; // stanch: ignore[leak] kept on purpose\nLOST;", FINDING_SUPPRESSED, 0},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t warnings;
        FindingState got = state_of(s, rows[i].text, NULL, &warnings);
        if (got != rows[i].state || warnings != rows[i].warnings)
            fail_msg("state %d, %u warnings for: %s", got, warnings, rows[i].text);
    }
}

static void suppression_files_match_rule_path_and_function(void **state)
{
    Setup *s = *state;
    static const struct {
        const char *line;
        FindingState state;
        uint32_t warnings;
    } rows[] = {
        {"# why we have this\n\nleak src/*.c first kept on purpose\n", FINDING_SUPPRESSED, 0},
        {"* src/s.c * kept on purpose", FINDING_SUPPRESSED, 0},
        {"leak,double-free *.c fir?t kept on purpose\r\n", FINDING_SUPPRESSED, 0},
        {"leak * \"fi*t\" kept on purpose", FINDING_SUPPRESSED, 0},
        {"leak src/*.c first", FINDING_SUPPRESSED, 1},
        {"leak lib/*.c first why", FINDING_NEW, 1},
        {"leak src/*.c second why", FINDING_NEW, 1},
        {"double-free src/*.c first why", FINDING_NEW, 1},
        {"leek src/*.c first why", FINDING_NEW, 1},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t warnings;
        FindingState got = state_of(s, "p = ALLOC;\nLOST;\n", rows[i].line, &warnings);
        if (got != rows[i].state || warnings != rows[i].warnings)
            fail_msg("state %d, %u warnings for: %s", got, warnings, rows[i].line);
    }
    uint32_t warnings;
    state_of(s, "p = ALLOC;\nLOST;\n", "leak src/*.c\n", &warnings);
    assert_int_equal(s->diag.errors, 1); // a line that is none

    CheckOptions o = options(s);
    vec_push(&o.suppress_files, "no/such/file");
    Findings *fs = findings_new();
    Sources *sources = sources_new();
    assert_false(check_run(fs, &o, sources, &s->diag));
    vec_free(&o.suppress_files);
    findings_free(fs);
    sources_free(sources);
}

// --- baselines and history ---------------------------------------------------------------------

typedef struct {
    Findings *fs;
    Sources *sources;
} Run;

// A run over the program with a leak for each of `functions`.
static Run run_over(Setup *s, const char *file, const char *functions, const char *baseline)
{
    Run r = {findings_new(), sources_new()};
    const char *path = file_with(s, file, program);
    findings_source(r.fs, path);
    for (const char *p = functions; *p; p++) {
        char name[] = {*p, 0};
        some_leak(r.fs, path, name, line_with(program, "ALLOC"), line_with(program, "LOST"));
        r.fs->all.at[r.fs->all.len - 1]->alloc.line += (uint32_t)(*p - 'a');
    }
    r.fs->run.units_total = r.fs->run.units_analysed = 1;
    CheckOptions o = options(s);
    o.baseline = baseline;
    assert_true(check_run(r.fs, &o, r.sources, &s->diag));
    return r;
}

static void end_run(Run r)
{
    findings_free(r.fs);
    sources_free(r.sources);
}

static uint32_t shown_in(const Run *r)
{
    uint32_t n = 0;
    vec_each (i, &r->fs->all) n += finding_shown(r->fs->all.at[i]);
    return n;
}

static void baselines_hide_the_known_and_list_the_fixed(void **state)
{
    Setup *s = *state;
    const char *path = path_join(s->arena, s->dir, "base.json");
    Run r = run_over(s, "src/a.c", "abc", NULL);
    assert_int_equal(shown_in(&r), 3);
    assert_int_equal(baseline_write(r.fs, s->dir, path), 0);
    end_run(r);

    r = run_over(s, "src/a.c", "abc", path);
    assert_int_equal(shown_in(&r), 0);
    assert_int_equal(findings_status(r.fs), 0);
    assert_int_equal(r.fs->fixed.len, 0);
    end_run(r);

    r = run_over(s, "src/a.c", "abd", path);
    assert_int_equal(shown_in(&r), 1);
    assert_int_equal(findings_status(r.fs), 1);
    assert_int_equal(r.fs->fixed.len, 1);
    assert_string_equal(r.fs->fixed.at[0].function, "c");
    assert_string_equal(r.fs->fixed.at[0].path, "src/a.c");
    end_run(r);

    // A run over another file fixed nothing; nor did one in which the unit failed.
    r = run_over(s, "src/b.c", "", path);
    assert_int_equal(r.fs->fixed.len, 0);
    end_run(r);
    Findings *fs = findings_new();
    const char *source = path_join(s->arena, s->dir, "src/a.c");
    findings_source(fs, source);
    findings_failed_unit(fs, source, "no header");
    CheckOptions o = options(s);
    o.baseline = path;
    Sources *sources = sources_new();
    assert_true(check_run(fs, &o, sources, &s->diag));
    assert_int_equal(fs->fixed.len, 0);
    findings_free(fs);
    sources_free(sources);

    // The file moves: all stay known.
    assert_int_equal(unlink(source), 0);
    r = run_over(s, "lib/moved.c", "abc", path);
    assert_int_equal(shown_in(&r), 0);
    assert_int_equal(r.fs->fixed.len, 0);
    end_run(r);
}

static void unusable_baselines_are_told(void **state)
{
    Setup *s = *state;
    const char *bad[] = {"",
                         "{",
                         "[]",
                         "{\"stanch_baseline\": 2, \"findings\": []}",
                         "{\"stanch_baseline\": 1}",
                         "nonsense"};
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CheckOptions o = options(s);
        o.baseline = file_with(s, "bad.json", bad[i]);
        Findings *fs = findings_new();
        s->diag.errors = 0;
        assert_false(check_baseline(fs, &o, &s->diag));
        assert_int_equal(s->diag.errors, 1);
        findings_free(fs);
    }
    CheckOptions o = options(s);
    Findings *fs = findings_new();
    o.baseline = "no/such.json";
    assert_false(check_baseline(fs, &o, &s->diag));
    // Odd entries are no reason to stumble.
    o.baseline = file_with(s, "odd.json",
                           "{\"stanch_baseline\": 1, \"findings\": [1, {}, {\"rule\": 3}, null]}");
    assert_true(check_baseline(fs, &o, &s->diag));
    assert_int_not_equal(baseline_write(fs, s->dir, "/no/such/dir/base.json"), 0);
    findings_free(fs);
}

static void history_lists_new_and_fixed(void **state)
{
    Setup *s = *state;
    const char *dir = path_join(s->arena, s->dir, ".stanch");
    const char *functions[] = {"ab", "b", "bc"};
    Out *o = out_memory();
    assert_true(history_print(o, dir, 0, &s->diag));
    assert_string_equal(out_content(o, NULL), "no runs recorded\n");
    out_close(o);
    for (int i = 0; i < 3; i++) {
        Run r = run_over(s, "src/a.c", functions[i], NULL);
        assert_true(history_record(r.fs, dir, s->dir, "check src/a.c", 1700000000 + i, &s->diag));
        end_run(r);
    }
    o = out_memory();
    assert_true(history_print(o, dir, 0, &s->diag));
    const char *want =
        "run 3  2023-11-14 22:13:22 UTC  2 findings, 1 new, 0 fixed; 1 of 1 unit analysed"
        "  check src/a.c\n"
        "    new   src/a.c:6: 's' leaks memory from strdup [leak]\n"
        "run 2  2023-11-14 22:13:21 UTC  1 finding, 0 new, 1 fixed; 1 of 1 unit analysed"
        "  check src/a.c\n"
        "    fixed src/a.c:6: 's' leaks memory from strdup [leak]\n"
        "run 1  2023-11-14 22:13:20 UTC  2 findings, 2 new, 0 fixed; 1 of 1 unit analysed"
        "  check src/a.c\n"
        "    new   src/a.c:6: 's' leaks memory from strdup [leak]\n"
        "    new   src/a.c:6: 's' leaks memory from strdup [leak]\n";
    assert_string_equal(out_content(o, NULL), want);
    out_close(o);
}

static void a_damaged_history_is_told(void **state)
{
    Setup *s = *state;
    file_with(s, ".stanch/history.db",
              "this is no database, but long enough to be looked at "
              "as one by whoever opens it without care, page by page");
    const char *dir = path_join(s->arena, s->dir, ".stanch");
    Run r = run_over(s, "src/a.c", "a", NULL);
    s->diag.warnings = s->diag.errors = 0;
    assert_false(history_record(r.fs, dir, s->dir, "check", 1, &s->diag));
    assert_int_equal(s->diag.warnings, 1);
    Out *o = out_memory();
    assert_false(history_print(o, dir, 5, &s->diag));
    assert_int_equal(s->diag.errors, 1);
    out_close(o);
    file_with(s, "plain", "x");
    assert_false(history_record(r.fs, path_join(s->arena, s->dir, "plain/sub"), s->dir, "check", 1,
                                &s->diag));
    end_run(r);
}

// Calls of the one function with code; what the others give is known from specs.
static uint32_t count_of_calls(void *context, const char *function)
{
    return strcmp(function, "make_part") == 0 ? *(uint32_t *)context : 0;
}

static uint32_t doubted(const char *allocator, uint32_t sites, uint32_t calls, Level level)
{
    Findings *fs = findings_new();
    for (uint32_t i = 0; i < sites; i++) {
        Pos made = {"/p/a.c", 10 * (i + 1), 5}, lost = {"/p/a.c", 10 * (i + 1) + 3, 1};
        Finding *f = finding_at(fs, RULE_LEAK, level, "use", made, lost);
        finding_names(f, allocator, "p");
        f->loss = LOSS_SCOPE;
    }
    check_doubt(fs, count_of_calls, &calls);
    uint32_t count = 0;
    vec_each (i, &fs->all) count += finding_level(fs->all.at[i]) == LEVEL_AUDIT;
    findings_free(fs);
    return count;
}

// What nearly every call of a function would cause is no finding; a few of many calls are.
static void doubts_what_all_uses_cause(void **state)
{
    (void)state;
    assert_int_equal(doubted("make_part", 8, 20, LEVEL_LIKELY), 8);
    assert_int_equal(doubted("make_part", 8, 500, LEVEL_LIKELY), 0);
    assert_int_equal(doubted("make_part", 4, 4, LEVEL_LIKELY), 0);
    assert_int_equal(doubted("make_part", 8, 20, LEVEL_SURE), 0);
    assert_int_equal(doubted("malloc", 8, 20, LEVEL_LIKELY), 0);
}

// A part that is left in its owner wherever that one is released.
static void doubts_what_all_owners_leave(void **state)
{
    (void)state;
    for (uint32_t sites = 5; sites <= 6; sites++) {
        Findings *fs = findings_new();
        for (uint32_t i = 0; i < sites; i++) {
            Pos made = {"/p/a.c", 10 * (i + 1), 5}, lost = {"/p/a.c", 10 * (i + 1) + 3, 1};
            Finding *f = finding_at(fs, RULE_LEAK, LEVEL_LIKELY, "use", made, lost);
            finding_names(f, i % 2 ? "put_byte" : "put_word", NULL);
            finding_source(f, (Pos){"/p/buffer.c", 40, 9});
            f->loss = LOSS_OWNER;
        }
        uint32_t calls = 0, count = 0;
        check_doubt(fs, count_of_calls, &calls);
        vec_each (i, &fs->all) count += finding_level(fs->all.at[i]) == LEVEL_AUDIT;
        assert_int_equal(count, sites == 6 ? 6 : 0);
        findings_free(fs);
    }
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(many_paths_are_one_finding_with_the_shortest_path),
        T(doubts_what_all_uses_cause),
        T(doubts_what_all_owners_leave),
        T(coarser_stages_agree_instead_of_repeating),
        T(uses_behind_one_release_are_one_finding),
        T(what_is_lost_at_one_place_is_one_finding),
        T(what_a_callee_forgets_is_one_finding),
        T(ranking_puts_the_certain_first_and_at_exit_last),
        T(folding_keeps_the_ends_and_the_branches),
        T(folding_takes_callers_far_out_first),
        T(rules_are_chosen_by_words),
        T(fingerprints_survive_edits_elsewhere),
        T(fingerprints_tell_defects_apart),
        T(comments_suppress_on_and_above_the_line),
        T(suppression_files_match_rule_path_and_function),
        T(baselines_hide_the_known_and_list_the_fixed),
        T(unusable_baselines_are_told),
        T(history_lists_new_and_fixed),
        T(a_damaged_history_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
