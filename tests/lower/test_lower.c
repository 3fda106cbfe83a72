// Runs clang on every source beside this file, lowers the bitcode and looks for what the source
// expects in the printed unit:
//
//     // flags: -std=c++20          more flags for clang
//     // expect: PATTERN            some line of the unit contains it; * stands for any text
//     // absent: PATTERN            no line does
//     // count 2: PATTERN           so many lines do
//
// Each source is lowered three times: as stanch does it, from -O0 and from -O2 without debug
// information; all must pass the validator and survive the binary and the text form. Only the first
// is compared with the expectations.
#include "base/file.h"
#include "lower/lower.h"

#include <dirent.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

static const char *root_dir(void)
{
    const char *root = getenv("ROOT");
    return root ? root : ".";
}

static const char *scratch_dir(void)
{
    const char *tmp = getenv("TMP");
    return tmp ? tmp : "/tmp";
}

static int run(char *const *argv)
{
    pid_t pid;
    int status;
    if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) != 0) return -1;
    if (waitpid(pid, &status, 0) < 0) return -1;
    return status;
}

// clang's bitcode for the source; `flags` are separated by blanks.
static char *compile(Arena *a, const char *source, const char *flags, size_t *len)
{
    VEC(char *) argv = {0};
    char *out = arena_printf(a, "%s/lower-%d.bc", scratch_dir(), (int)getpid());
    vec_push(&argv, "clang-19");
    vec_push(&argv, "-emit-llvm");
    vec_push(&argv, "-c");
    vec_push(&argv, "-w");
    vec_push(&argv, "-o");
    vec_push(&argv, out);
    for (char *f = strtok(arena_strdup(a, flags), " \t\r\n"); f; f = strtok(NULL, " \t\r\n"))
        vec_push(&argv, f);
    vec_push(&argv, arena_strdup(a, source));
    vec_push(&argv, NULL);
    int status = run(argv.at);
    vec_free(&argv);
    if (status != 0) fail_msg("clang-19 failed on %s", source);
    char *bytes = file_read(out, 0, len);
    unlink(out);
    assert_non_null(bytes);
    return bytes;
}

// Whether `text` (one line) contains the pattern.
static bool match_here(const char *p, const char *s, const char *end)
{
    for (; *p; p++) {
        if (*p == '*') {
            for (; s <= end; s++)
                if (match_here(p + 1, s, end)) return true;
            return false;
        }
        if (s == end || *s != *p) return false;
        s++;
    }
    return true;
}

static uint32_t count_lines(const char *text, const char *pattern)
{
    uint32_t count = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        for (size_t i = 0; i <= n; i++)
            if (match_here(pattern, text + i, text + n)) {
                count++;
                break;
            }
        text += n + (text[n] == '\n');
    }
    return count;
}

// The rest of the line behind `key`, or null; moves on behind it.
static char *directive(Arena *a, const char **at, const char *key)
{
    const char *found = strstr(*at, key);
    if (!found) return NULL;
    found += strlen(key);
    size_t n = strcspn(found, "\n");
    *at = found + n;
    return arena_strndup(a, found, n);
}

static void check_binary(Unit *u)
{
    Out *o = out_memory();
    unit_write(o, u);
    size_t len;
    const char *bytes = out_content(o, &len);
    const char *why = NULL;
    Unit *again = unit_read(bytes, len, &why);
    if (!again) fail_msg("the binary form: %s", why);
    unit_free(again);
    out_discard(o);
}

static void check_text(Unit *u, const char *source)
{
    Out *first = out_memory(), *second = out_memory();
    unit_print(first, u);
    Diag d = {0};
    Unit *again = unit_parse(out_content(first, NULL), source, &d);
    if (!again) fail_msg("%s: the text form is not read back", source);
    unit_print(second, again);
    assert_string_equal(out_content(first, NULL), out_content(second, NULL));
    unit_free(again);
    out_discard(first);
    out_discard(second);
}

static Unit *lower(Arena *a, const char *source, const char *flags)
{
    size_t len;
    char *bytes = compile(a, source, flags, &len);
    char *why = NULL;
    Unit *u = lower_bitcode(bytes, len, source, NULL, &why);
    if (!u) fail_msg("%s (%s): %s", source, flags, why);
    mem_free(bytes);
    const char *wrong = unit_check(u, a);
    if (wrong) fail_msg("%s (%s): %s", source, flags, wrong);
    check_binary(u);
    check_text(u, source);
    return u;
}

static uint32_t compare(Arena *a, const char *name, const char *expectations, const char *text)
{
    uint32_t wrong = 0;
    char *pattern;
    for (const char *at = expectations; (pattern = directive(a, &at, "// expect: "));)
        if (!count_lines(text, pattern)) {
            print_error("%s: not found: %s\n", name, pattern);
            wrong++;
        }
    for (const char *at = expectations; (pattern = directive(a, &at, "// absent: "));)
        if (count_lines(text, pattern)) {
            print_error("%s: found: %s\n", name, pattern);
            wrong++;
        }
    for (const char *at = expectations; (pattern = directive(a, &at, "// count "));) {
        char *rest;
        unsigned long want = strtoul(pattern, &rest, 10);
        uint32_t have = *rest == ':' ? count_lines(text, rest + 2) : UINT32_MAX;
        if (have != want) {
            print_error("%s: %u lines instead of %lu: %s\n", name, have, want, rest);
            wrong++;
        }
    }
    return wrong;
}

static void test_source(void **state)
{
    const char *name = *state;
    Arena *a = arena_new("test");
    char *source = arena_printf(a, "%s/tests/lower/%s", root_dir(), name);
    char *content = file_read(source, 0, NULL);
    assert_non_null(content);
    const char *at = content;
    const char *more = directive(a, &at, "// flags: ");
    if (!more) more = "";
    unit_free(lower(a, source, arena_printf(a, "-O0 -g %s", more)));
    unit_free(lower(a, source, arena_printf(a, "-O2 %s", more)));
    Unit *u = lower(a, source, arena_printf(a, "-O1 -Xclang -disable-llvm-passes -g %s", more));
    Out *o = out_memory();
    unit_print(o, u);
    const char *text = out_content(o, NULL);
    uint32_t wrong = compare(a, name, content, text);
    if (wrong) fputs(text, stderr); // cmocka's own printing cuts it
    out_discard(o);
    unit_free(u);
    mem_free(content);
    arena_free(a);
    assert_int_equal(wrong, 0);
}

// Damaged bitcode is refused, or lowered to something valid. What crashes LLVM itself is for the
// child process that stanch lowers in, so only damage that LLVM's reader sees is tried here.
static void test_damaged(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *source = arena_printf(a, "%s/tests/lower/names.c", root_dir());
    size_t len;
    char *bytes = compile(a, source, "-O1 -Xclang -disable-llvm-passes -g", &len);
    for (size_t cut = 0; cut < len; cut += len / 37 + 1) {
        char *why = NULL;
        Unit *u = lower_bitcode(bytes, cut, source, NULL, &why);
        assert_null(u);
        assert_non_null(why);
        mem_free(why);
    }
    char *why = NULL;
    assert_null(lower_bitcode("int main(void) {}", 17, source, NULL, &why));
    assert_non_null(why);
    mem_free(why);
    mem_free(bytes);
    arena_free(a);
}

// The same bytes give the same unit.
static void test_same(void **state)
{
    (void)state;
    Arena *a = arena_new("test");
    char *source = arena_printf(a, "%s/tests/lower/classes.cc", root_dir());
    size_t len, n[2];
    char *bytes = compile(a, source, "-O1 -Xclang -disable-llvm-passes -g", &len);
    Out *out[2];
    const char *text[2];
    for (int i = 0; i < 2; i++) {
        char *why = NULL;
        Unit *u = lower_bitcode(bytes, len, source, NULL, &why);
        assert_non_null(u);
        out[i] = out_memory();
        unit_write(out[i], u);
        text[i] = out_content(out[i], &n[i]);
        unit_free(u);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(text[0], text[1], n[0]);
    out_discard(out[0]);
    out_discard(out[1]);
    mem_free(bytes);
    arena_free(a);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct CMUnitTest *)a)->name, ((const struct CMUnitTest *)b)->name);
}

int main(void)
{
    VEC(struct CMUnitTest) tests = {0};
    Arena *a = arena_new("tests");
    char *path = arena_printf(a, "%s/tests/lower", root_dir());
    DIR *dir = opendir(path);
    if (!dir) die("no directory %s", path);
    for (struct dirent *e; (e = readdir(dir));) {
        const char *extension = path_extension(e->d_name);
        if (strncmp(e->d_name, "test_", 5) == 0) continue;
        if (strcmp(extension, "c") != 0 && strcmp(extension, "cc") != 0) continue;
        char *name = arena_strdup(a, e->d_name);
        struct CMUnitTest t = {.name = name, .test_func = test_source, .initial_state = name};
        vec_push(&tests, t);
    }
    closedir(dir);
    if (tests.len) qsort(tests.at, tests.len, sizeof *tests.at, by_name);
    struct CMUnitTest more[] = {cmocka_unit_test(test_damaged), cmocka_unit_test(test_same)};
    vec_append(&tests, more, 2);
    int failed = _cmocka_run_group_tests("lower", tests.at, tests.len, NULL, NULL);
    vec_free(&tests);
    arena_free(a);
    return failed;
}
