// Programs in child processes: what they print, their limits, and that nothing of them is left.
#include "base/child.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

static Arena *arena;

static ChildEnd shell(const char *script, ChildStart s)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    char *env[] = {"PATH=/usr/bin:/bin", NULL};
    if (!s.argv) s.argv = argv;
    if (!s.dir) s.dir = "/";
    if (!s.seconds) s.seconds = 60;
    if (!s.most) s.most = 1000;
    s.env = env;
    return child_run(arena, &s);
}

static int exit_of(ChildEnd end)
{
    assert_int_equal(end.error, 0);
    assert_false(end.timed_out);
    assert_true(WIFEXITED(end.status));
    return WEXITSTATUS(end.status);
}

static void what_it_prints(void **state)
{
    (void)state;
    ChildEnd end = shell("echo out; echo err >&2; exit 3", (ChildStart){0});
    assert_int_equal(exit_of(end), 3);
    assert_string_equal(end.text, "out\nerr\n");
    end = shell("echo out; echo err >&2", (ChildStart){.errors_only = true});
    assert_int_equal(exit_of(end), 0);
    assert_string_equal(end.text, "err\n");
    end = shell("cat; pwd", (ChildStart){.dir = "/usr"}); // nothing comes in
    assert_string_equal(end.text, "/usr\n");
    end = shell("printf 'a\\0b'", (ChildStart){0});
    assert_string_equal(end.text, "a?b");
    end = shell("head -c 100000 /dev/zero", (ChildStart){.most = 10});
    assert_int_equal(exit_of(end), 0);
    assert_string_equal(end.text, "??????????");
}

static void what_cannot_be_started(void **state)
{
    (void)state;
    const char *none[] = {"/nonexistent/program", NULL};
    ChildEnd end = shell("", (ChildStart){.argv = none});
    assert_int_equal(exit_of(end), CHILD_NO_PROGRAM);
    assert_non_null(strstr(end.text, "cannot be started"));
    end = shell("", (ChildStart){.dir = "/nonexistent"});
    assert_int_equal(exit_of(end), CHILD_NO_DIR);
    assert_non_null(strstr(end.text, "cannot be entered"));
}

static void limits_hold(void **state)
{
    (void)state;
    const ChildLimit limits[] = {{RLIMIT_CPU, 1, 2}, {RLIMIT_NOFILE, 20, 20}};
    ChildEnd end = shell("ulimit -n; ulimit -c; while :; do :; done",
                         (ChildStart){.limits = limits, .limit_count = 2});
    assert_string_equal(end.text, "20\n0\n");
    assert_true(WIFSIGNALED(end.status));
    // The second limit may be met before the first one is told.
    assert_true(WTERMSIG(end.status) == SIGXCPU || WTERMSIG(end.status) == SIGKILL);
}

// The one that stays behind holds the pipe open, and would run on.
static void time_ends_for_all(void **state)
{
    (void)state;
    time_t begin = time(NULL);
    ChildEnd end = shell("sleep 300 & echo $!", (ChildStart){.seconds = 1, .group = true});
    assert_true(end.timed_out);
    assert_true(time(NULL) - begin < 100);
    pid_t left = (pid_t)atoi(end.text);
    assert_true(left > 1);
    // It may be a zombie for as long as nobody has collected it.
    for (int tries = 0; tries < 100 && kill(left, 0) == 0; tries++) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", (int)left);
        FILE *f = fopen(path, "r");
        if (!f) return;
        if (!fgets(line, sizeof line, f)) line[0] = 0;
        fclose(f);
        if (strstr(line, ") Z ")) return;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    assert_int_not_equal(kill(left, 0), 0);
}

static void ends_instead(int how)
{
    _Exit(how);
}

static void is_held_first(void **state)
{
    (void)state;
    assert_int_equal(exit_of(shell("exit 1", (ChildStart){.hold = ends_instead, .how = 5})), 5);
}

int main(void)
{
    arena = arena_new("test");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_prints), cmocka_unit_test(what_cannot_be_started),
        cmocka_unit_test(limits_hold),    cmocka_unit_test(time_ends_for_all),
        cmocka_unit_test(is_held_first),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(arena);
    return failed;
}
