// Whole reports against golden files (ACCEPT=1 rewrites them), and what happens when they cannot
// be written.
#include "findings.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char *repo_root(void)
{
    const char *root = getenv("ROOT");
    return root ? root : ".";
}

static char *scratch(Arena *a, const char *name)
{
    const char *tmp = getenv("TMP");
    return arena_printf(a, "%s/%s", tmp ? tmp : "/tmp", name);
}

typedef struct {
    Arena *arena;
    Findings *fs;
    Sources *sources;
    ReportOptions o;
    Diag diag;
} Setup;

static const char *source_path(Arena *a)
{
    return path_join(a, path_cwd(a), arena_printf(a, "%s/tests/report/src/name.c", repo_root()));
}

static int setup(void **state)
{
    Setup *s = mem_alloc(sizeof *s);
    s->arena = arena_new("test");
    s->fs = findings_new();
    s->sources = sources_new();
    s->diag.quiet = true;
    const char *path = source_path(s->arena);
    fill_findings(s->fs, path);
    findings_failed_unit(s->fs, path_join(s->arena, path, "../broken \"one\".c"),
                         "name.h: No such file or directory");
    s->o = (ReportOptions){.root = path_join(s->arena, path, "../.."), .sources = s->sources};
    CheckOptions c = {.level = LEVEL_AUDIT, .root = s->o.root};
    assert_true(check_run(s->fs, &c, s->sources, &s->diag));
    *state = s;
    return 0;
}

static int teardown(void **state)
{
    Setup *s = *state;
    findings_free(s->fs);
    sources_free(s->sources);
    arena_free(s->arena);
    mem_free(s);
    return 0;
}

// The version would make every golden file change with it.
static char *without_version(Arena *a, const char *text)
{
    char *result = arena_strdup(a, "");
    for (const char *at_version; (at_version = strstr(text, STANCH_VERSION));) {
        result = arena_printf(a, "%s%.*sVERSION", result, (int)(at_version - text), text);
        text = at_version + strlen(STANCH_VERSION);
    }
    return arena_printf(a, "%s%s", result, text);
}

static void compare(Setup *s, Format format, const char *name)
{
    s->o.format = format;
    Out *out = out_memory();
    report_write(s->fs, &s->o, out);
    const char *text = without_version(s->arena, out_content(out, NULL));
    const char *golden = arena_printf(s->arena, "%s/tests/report/golden/%s", repo_root(), name);
    if (getenv("ACCEPT")) {
        Out *o = out_file(golden);
        assert_non_null(o);
        out_text(o, text);
        assert_int_equal(out_close(o), 0);
    } else {
        size_t len;
        char *want = file_read(golden, 0, &len);
        assert_non_null(want);
        if (strcmp(want, text) != 0)
            print_error("%s differs; ACCEPT=1 tests/run report rewrites it\n", golden);
        assert_string_equal(text, want);
        mem_free(want);
    }
    out_close(out);
}

static void text_is_golden(void **state)
{
    compare(*state, FORMAT_TEXT, "name.txt");
}

static void text_in_colour_and_verbose_is_golden(void **state)
{
    Setup *s = *state;
    s->o.color = s->o.verbose = s->o.seconds = true;
    compare(s, FORMAT_TEXT, "name.color.txt");
}

static void text_quiet_is_golden(void **state)
{
    Setup *s = *state;
    s->o.quiet = true;
    compare(s, FORMAT_TEXT, "name.quiet.txt");
}

static void gcc_is_golden(void **state)
{
    compare(*state, FORMAT_GCC, "name.gcc");
}

static void json_is_golden(void **state)
{
    compare(*state, FORMAT_JSON, "name.json");
}

static void sarif_is_golden(void **state)
{
    compare(*state, FORMAT_SARIF, "name.sarif");
}

// The same program below another directory, found in the reverse order: the same bytes.
static void reports_do_not_depend_on_the_directory_or_the_order(void **state)
{
    Setup *s = *state;
    const char *dir = scratch(s->arena, "else where/src");
    assert_int_equal(file_make_dirs(dir), 0);
    const char *copy = arena_printf(s->arena, "%s/name.c", dir);
    size_t len;
    char *text = file_read(source_path(s->arena), 0, &len);
    Out *o = out_file(copy);
    assert_non_null(o);
    out_bytes(o, text, len);
    assert_int_equal(out_close(o), 0);
    mem_free(text);

    Findings *raw = findings_new(), *fs = findings_new();
    fill_findings(raw, copy);
    for (uint32_t i = 0; i < raw->all.len / 2; i++) {
        Finding *f = raw->all.at[i];
        raw->all.at[i] = raw->all.at[raw->all.len - 1 - i];
        raw->all.at[raw->all.len - 1 - i] = f;
    }
    findings_append(fs, raw);
    fs->run.step_budget = raw->run.step_budget;
    findings_free(raw);
    findings_failed_unit(fs, arena_printf(s->arena, "%s/broken \"one\".c", dir),
                         "name.h: No such file or directory");
    ReportOptions other = {.root = scratch(s->arena, "else where"), .sources = s->sources};
    CheckOptions c = {.level = LEVEL_AUDIT, .root = other.root};
    assert_true(check_run(fs, &c, s->sources, &s->diag));
    for (Format f = FORMAT_TEXT; f <= FORMAT_HTML; f++) {
        Out *first = out_memory(), *second = out_memory();
        s->o.format = other.format = f;
        assert_int_equal(report_write(s->fs, &s->o, first), 1);
        assert_int_equal(report_write(fs, &other, second), 1);
        assert_string_equal(out_content(second, NULL), out_content(first, NULL));
        out_close(first);
        out_close(second);
    }
    findings_free(fs);
}

static void status_follows_the_findings(void **state)
{
    (void)state;
    Findings *fs = findings_new();
    fs->run.units_total = fs->run.units_analysed = 1;
    assert_int_equal(findings_status(fs), 0);
    findings_given_up(fs, "f", (Pos){0}, "budget");
    assert_int_equal(findings_status(fs), 3);
    Finding *f = finding_at(fs, RULE_LEAK_AT_EXIT, LEVEL_SURE, "main", (Pos){0}, (Pos){0});
    assert_int_equal(findings_status(fs), 3);
    f->rule = RULE_LEAK;
    assert_int_equal(findings_status(fs), 1);
    f->state = FINDING_KNOWN;
    assert_int_equal(findings_status(fs), 3);
    findings_free(fs);
}

static void a_vanished_or_changed_source_is_told(void **state)
{
    Setup *s = *state;
    const char *path = scratch(s->arena, "short.c");
    Out *o = out_file(path);
    out_text(o, "int x;\n");
    assert_int_equal(out_close(o), 0);
    Findings *fs = findings_new();
    some_leak(fs, path, "f", 1, 99);
    some_leak(fs, scratch(s->arena, "gone.c"), "g", 1, 2);
    ReportOptions options = {.root = "/", .sources = s->sources};
    CheckOptions c = {.root = "/"};
    assert_true(check_run(fs, &c, s->sources, &s->diag));
    for (Format f = FORMAT_TEXT; f <= FORMAT_HTML; f++) {
        Out *out = out_memory();
        options.format = f;
        report_write(fs, &options, out);
        if (f == FORMAT_TEXT) {
            assert_non_null(strstr(out_content(out, NULL), "source changed since it was compiled"));
            assert_non_null(strstr(out_content(out, NULL), "the source file is gone"));
        }
        out_close(out);
    }
    // A file younger than the compile.
    const Source *src = source_of(s->sources, path);
    assert_null(source_doubt(src, 1, src->changed_at + 1));
    assert_non_null(source_doubt(src, 1, src->changed_at - 1));
    findings_free(fs);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
    Setup *s = *state;
    const char *path = scratch(s->arena, "evil.c");
    Out *o = out_file(path);
    out_text(o, "char *p = \"\033[31m\xe2\x80\xae\xff\"; \xc2\x9b\n");
    for (int i = 0; i < 5000; i++) out_text(o, "\xc3\xa4");
    assert_int_equal(out_close(o), 0);
    Findings *fs = findings_new();
    Finding *f = some_leak(fs, path, "f\033]0;x\a", 1, 2);
    f->lost.col = 4001;
    finding_names(f, "m\033[1m", "v\n");
    ReportOptions options = {.root = "/", .sources = s->sources};
    for (Format k = FORMAT_TEXT; k <= FORMAT_SARIF; k++) {
        Out *out = out_memory();
        options.format = k;
        report_write(fs, &options, out);
        size_t len;
        const char *text = out_content(out, &len);
        for (size_t i = 0; i < len; i++)
            assert_true((unsigned char)text[i] >= 0x20 || text[i] == '\n' || text[i] == '\t');
        if (k == FORMAT_TEXT) {
            assert_null(strstr(text, "\xe2\x80\xae"));
            assert_true(len < 3000); // the long line is cut
        }
        out_close(out);
    }
    findings_free(fs);
}

static void full_disk_gives_a_message_and_status_2(void **state)
{
    Setup *s = *state;
    assert_int_equal(report_to(s->fs, &s->o, "/dev/full", &s->diag), 2);
    assert_int_equal(s->diag.errors, 1);
    struct stat st;
    assert_int_equal(stat("/dev/full", &st), 0);
    assert_true(S_ISCHR(st.st_mode)); // still the device
}

static void unwritable_output_gives_a_message_and_status_2(void **state)
{
    Setup *s = *state;
    assert_int_equal(report_to(s->fs, &s->o, scratch(s->arena, "no/such/dir/x"), &s->diag), 2);
    assert_int_equal(report_to(s->fs, &s->o, scratch(s->arena, "."), &s->diag), 2);
    assert_int_equal(s->diag.errors, 2);
}

static void a_report_replaces_a_file_and_keeps_a_link(void **state)
{
    Setup *s = *state;
    const char *file = scratch(s->arena, "real.json"), *link = scratch(s->arena, "link.json");
    unlink(file);
    unlink(link);
    s->o.format = FORMAT_JSON;
    assert_int_equal(report_to(s->fs, &s->o, file, &s->diag), 1);
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(report_to(s->fs, &s->o, link, &s->diag), 1);
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    unlink(link);
    unlink(file);
}

static void a_closed_pipe_gives_a_message_and_status_2(void **state)
{
    Setup *s = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(ends[1], STDOUT_FILENO);
    int status = report_to(s->fs, &s->o, NULL, &s->diag);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(ends[1]);
    assert_int_equal(status, 2);
    assert_int_equal(s->diag.errors, 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(text_is_golden),
        T(text_in_colour_and_verbose_is_golden),
        T(text_quiet_is_golden),
        T(gcc_is_golden),
        T(json_is_golden),
        T(sarif_is_golden),
        T(reports_do_not_depend_on_the_directory_or_the_order),
        T(status_follows_the_findings),
        T(a_vanished_or_changed_source_is_told),
        T(control_characters_do_not_reach_the_terminal),
        T(full_disk_gives_a_message_and_status_2),
        T(unwritable_output_gives_a_message_and_status_2),
        T(a_report_replaces_a_file_and_keeps_a_link),
        T(a_closed_pipe_gives_a_message_and_status_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
