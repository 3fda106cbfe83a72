// Which units are part of nothing but tests.
//
// A linked binary or library is a test by where it is written, below the directory of the run, and by
// its name: tests/x, x_test, fuzz/x. A unit that only tests link is theirs. One that comes from an archive may
// as well be the library that they test, which others will link: it is theirs only where the archive lies among
// the tests, or where each of them links a shared library of the build that is no test, and so tests that.
// A build of tests alone has none: then they are what was asked for. Errs towards "not a test".
#include "link/link_int.h"

#include <string.h>

static bool is_one_of(const char *text, size_t len, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == len && memcmp(*list, text, len) == 0) return true;
    return false;
}

static bool has_part(const char *text, size_t len, const char *const *list, bool end)
{
    for (; *list; list++) {
        size_t n = strlen(*list);
        if (n < len && memcmp(*list, end ? text + len - n : text, n) == 0) return true;
    }
    return false;
}

// Also of a directory: `network_tests`.
static bool is_called_test(const char *text, size_t len)
{
    static const char *const names[] = {"test", "tests", "testsuite", "unittest", "unittests", NULL};
    static const char *const begins[] = {"test-", "test_", "tests-", "tests_", NULL};
    static const char *const ends[] = {"-test",     "_test",     "-tests",  "_tests",
                                       "-unittest", "_unittest", "-fuzzer", "_fuzzer", NULL};
    return is_one_of(text, len, names) || has_part(text, len, begins, false) || has_part(text, len, ends, true);
}

static bool is_test_directory(const char *text, size_t len)
{
    static const char *const names[] = {"t",    "testing", "testsuites", "testcases", "selftest", "selftests",
                                        "perf", "bench",   "benches",    "benchmark", "benchmarks",
                                        "fuzz", "fuzzing", "fuzzer",     "fuzzers",   NULL};
    return is_called_test(text, len) || is_one_of(text, len, names);
}

bool is_test_output(const char *path)
{
    if (path[0] == '/') return false; // what lies outside says nothing about this project
    size_t n;
    for (const char *slash; (slash = strchr(path, '/')); path = slash + 1)
        if (is_test_directory(path, (size_t)(slash - path))) return true;
    if (strncmp(path, "lt-", 3) == 0) path += 3;
    n = strcspn(path, ".");
    return is_called_test(path, n);
}

bool *find_tests(Arena *a, const LinkInfo *info, const U32s *holders, const Bits *beside, const Bits *archived)
{
    bool *tests = arena_array_of(a, bool, info->unit_count);
    bool product = false;
    Bits test = bits_new(a, info->step_count);
    for (uint32_t s = 0; s < info->step_count; s++) {
        const LinkStep *step = &info->steps[s];
        if (is_test_output(step->name)) bits_add(&test, s);
        product |= (step->kind == LINK_PROGRAM || step->kind == LINK_SHARED) && !bits_has(&test, s);
    }
    for (uint32_t u = 0; product && u < info->unit_count; u++) {
        tests[u] = holders[u].len != 0;
        vec_each (i, &holders[u])
            if (!bits_has(&test, holders[u].at[i]) || (bits_has(archived, u) && !bits_has(beside, holders[u].at[i])))
                tests[u] = false;
    }
    return tests;
}
