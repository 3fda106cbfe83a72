// Runs the tools and the program: with limits, and held where the system can hold a process.
#include "base/child.h"
#include "confirm/confirm_int.h"

#include <stdlib.h>
#include <unistd.h>

// A build of one file may be long; what the program does takes milliseconds. AddressSanitizer
// reserves terabytes of addresses, so it is itself that limits memory.
enum {
    TOOL_SECONDS = 300,
    PROGRAM_SECONDS = 20,
    OUTPUT_BYTES = 1 << 20,
    PROGRAM_MIB = 2048,
    PROCESSES = 4096,
};

static Ran run(Arena *a, ChildStart *s, int cpu_seconds, const ChildLimit *limits, uint32_t count)
{
    s->limits = limits;
    s->limit_count = count;
    // Processes that it leaves behind would hold the pipe open: the time ends for all of them.
    s->seconds = cpu_seconds + 10;
    s->most = OUTPUT_BYTES;
    s->group = true;
    ChildEnd end = child_run(a, s);
    return (Ran){!end.error, end.timed_out, end.status, end.text};
}

static Ran run_with_tools(Arena *a, ChildStart *s)
{
    const char *path = getenv("PATH"), *tmp = getenv("TMPDIR");
    char *env[] = {arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin"), "LC_ALL=C",
                   "SOURCE_DATE_EPOCH=0", arena_printf(a, "TMPDIR=%s", tmp ? tmp : "/tmp"), NULL};
    s->env = env;
    const ChildLimit cpu = {RLIMIT_CPU, TOOL_SECONDS, TOOL_SECONDS};
    return run(a, s, TOOL_SECONDS, &cpu, 1);
}

Ran run_tool(Arena *a, const char *dir, const char *const *argv, int rules)
{
    return run_with_tools(
        a, &(ChildStart){.dir = dir, .argv = argv, .hold = contain_enter, .how = rules});
}

Ran run_plain(Arena *a, const char *dir, const char *const *argv)
{
    return run_with_tools(a, &(ChildStart){.dir = dir, .argv = argv});
}

Ran run_program(Arena *a, const ConfirmTools *t, const char *dir)
{
    char *env[] = {"PATH=/usr/bin:/bin", "LC_ALL=C",
                   arena_printf(a, "ASAN_SYMBOLIZER_PATH=%s", t->symbolizer ? t->symbolizer : ""),
                   arena_printf(a, "ASAN_OPTIONS=hard_rss_limit_mb=%d:max_allocation_size_mb=%d",
                                PROGRAM_MIB, PROGRAM_MIB / 2),
                   NULL};
    const char *program = arena_printf(a, "%s/repro", dir);
    const char *held[] = {
        t->bwrap,        "--ro-bind",         "/",  "/",     "--dev", "/dev", "--proc", "/proc",
        "--unshare-all", "--die-with-parent", "--", program, NULL};
    const char *plain[] = {program, NULL};
    const ChildLimit limits[] = {{RLIMIT_CPU, PROGRAM_SECONDS, PROGRAM_SECONDS},
                                 {RLIMIT_FSIZE, 0, 0},
                                 {RLIMIT_NPROC, PROCESSES, PROCESSES},
                                 {RLIMIT_NOFILE, 256, 256}};
    ChildStart s = {.dir = dir, .argv = t->bwrap ? held : plain, .env = env};
    // bubblewrap could not set up its view behind our own rules.
    int rules = t->bwrap ? -1 : contain_prepare_hold(a, dir);
    if (!t->bwrap) s.hold = contain_hold, s.how = rules;
    Ran ran = run(a, &s, PROGRAM_SECONDS, limits, sizeof limits / sizeof *limits);
    if (rules >= 0) close(rules);
    return ran;
}
