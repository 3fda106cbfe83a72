// Every C and C++ input of the whole test suite goes through the compiler into a unit and from
// there through the binary form and the text form and back; without LONG=1 each fifth one, since
// most of the time goes to the compiler.
#include "base/file.h"
#include "unit/unit.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static VEC(char *) sources;

static int visit(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    const char *ext = path_extension(path);
    bool code = strcmp(ext, "c") == 0 || strcmp(ext, "cc") == 0 || strcmp(ext, "cpp") == 0;
    if (kind == FTW_F && code && strncmp(path + at->base, "test_", 5) != 0)
        vec_push(&sources, mem_strdup(path));
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *text_of(const Unit *u)
{
    Out *o = out_memory();
    unit_print(o, u);
    char *text = mem_strdup(out_content(o, &(size_t){0}));
    out_close(o);
    return text;
}

// Whether a unit came out; some inputs are meant not to compile.
static bool compile(const char *source, const char *unit)
{
    unlink(unit);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(127);
        execl(getenv("STANCH"), "stanch", "unit", "--no-cache", source, "-o", unit, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status)) fail_msg("stanch unit %s was killed", source);
    return WEXITSTATUS(status) == 0 && file_exists(unit);
}

static void every_test_input_survives(void **state)
{
    (void)state;
    if (!getenv("STANCH") || !getenv("ROOT") || !getenv("TMP")) skip(); // see tests/run
    char *root = mem_printf("%s/tests", getenv("ROOT"));
    char *unit = mem_printf("%s/x.unit", getenv("TMP"));
    nftw(root, visit, 16, FTW_PHYS);
    qsort(sources.at, sources.len, sizeof *sources.at, by_text);
    uint32_t done = 0, tried = 0, step = getenv("LONG") ? 1 : 5;
    vec_each (i, &sources) {
        tried += i % step == 0;
        if (i % step == 0 && compile(sources.at[i], unit)) {
            size_t len, again_len;
            const char *why;
            char *bytes = file_read(unit, 0, &len);
            Unit *u = unit_read(bytes, len, &why);
            if (!u) fail_msg("%s: %s", sources.at[i], why);
            Out *again = out_memory();
            unit_write(again, u);
            const char *written = out_content(again, &again_len);
            assert_int_equal(again_len, len);
            assert_memory_equal(written, bytes, len);
            out_close(again);
            char *first = text_of(u);
            Diag d = {0};
            Unit *v = unit_parse(first, sources.at[i], &d);
            if (!v) fail_msg("%s: the printed unit is not read", sources.at[i]);
            char *second = text_of(v);
            if (strcmp(first, second) != 0) fail_msg("%s: the text differs", sources.at[i]);
            mem_free(first), mem_free(second), mem_free(bytes);
            unit_free(u), unit_free(v);
            done++;
        }
        mem_free(sources.at[i]);
    }
    assert_true(done * 10 > tried * 8);
    vec_free(&sources);
    mem_free(root);
    mem_free(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_test_input_survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
