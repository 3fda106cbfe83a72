// Runs the tools and the program: with limits, and held where the system can hold a process.
#include "base/file.h"
#include "confirm/confirm_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A build of one file may be long; what the program does takes milliseconds. AddressSanitizer reserves
// terabytes of addresses, so it is itself that limits memory.
enum {
    TOOL_SECONDS = 300,
    PROGRAM_SECONDS = 20,
    OUTPUT_BYTES = 1 << 20,
    PROGRAM_MIB = 2048,
    PROCESSES = 4096,
};

typedef struct {
    const char *dir;
    const char *const *argv;
    char *const *env;
    int rules; // for the tools; -1: none
    bool program;
    int hold; // for the program: Landlock rules, or -1: none; NOT_HELD: it holds itself
} Start;

enum { NOT_HELD = -2 };

static void limit(int what, rlim_t n)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && n > now.rlim_max) n = now.rlim_max;
    setrlimit(what, &(struct rlimit){n, n});
}

// After fork.
static _Noreturn void child(const Start *s, int out)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) dup2(null, 0);
    dup2(out, 1);
    dup2(out, 2);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, s->program ? PROGRAM_SECONDS : TOOL_SECONDS);
    if (s->program) {
        limit(RLIMIT_FSIZE, 0);
        limit(RLIMIT_NPROC, PROCESSES);
        limit(RLIMIT_NOFILE, 256);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (chdir(s->dir) != 0) _exit(126);
    if (s->program && s->hold != NOT_HELD) contain_hold(s->hold);
    if (!s->program && s->rules != NOT_HELD) contain_enter(s->rules);
    execve(s->argv[0], (char *const *)s->argv, s->env);
    _exit(127);
}

static bool read_output(int fd, time_t seconds, Chars *text)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t end = now.tv_sec + seconds;
    char buffer[4096];
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        struct pollfd p = {fd, POLLIN, 0};
        int ready = now.tv_sec >= end ? 0 : poll(&p, 1, (int)(end - now.tv_sec) * 1000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        size_t room = text->len < OUTPUT_BYTES ? OUTPUT_BYTES - text->len : 0;
        vec_append(text, buffer, (size_t)n < room ? (size_t)n : room);
    }
}

static Ran start(Arena *a, const Start *s)
{
    Ran ran = {.text = ""};
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return ran;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        child(s, fds[1]);
    }
    close(fds[1]);
    if (pid < 0) {
        close(fds[0]);
        return ran;
    }
    setpgid(pid, pid);
    Chars text = {0};
    // Processes that it leaves behind would hold the pipe open: the time ends for all of them.
    ran.started = true;
    ran.timed_out = !read_output(fds[0], s->program ? PROGRAM_SECONDS + 10 : TOOL_SECONDS + 10, &text);
    if (ran.timed_out) kill(-pid, SIGKILL);
    close(fds[0]);
    while (waitpid(pid, &ran.status, 0) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL);
    for (uint32_t i = 0; i < text.len; i++)
        if (!text.at[i]) text.at[i] = '?';
    ran.text = arena_strndup(a, text.at ? text.at : "", text.len);
    vec_free(&text);
    return ran;
}

Ran run_tool(Arena *a, const char *dir, const char *const *argv, int rules)
{
    const char *path = getenv("PATH"), *tmp = getenv("TMPDIR");
    char *env[] = {arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin"), "LC_ALL=C",
                   "SOURCE_DATE_EPOCH=0", arena_printf(a, "TMPDIR=%s", tmp ? tmp : "/tmp"), NULL};
    return start(a, &(Start){dir, argv, env, rules, false, NOT_HELD});
}

Ran run_plain(Arena *a, const char *dir, const char *const *argv)
{
    return run_tool(a, dir, argv, NOT_HELD);
}

Ran run_program(Arena *a, const ConfirmTools *t, const char *dir)
{
    char *env[] = {"PATH=/usr/bin:/bin", "LC_ALL=C",
                   arena_printf(a, "ASAN_SYMBOLIZER_PATH=%s", t->symbolizer ? t->symbolizer : ""),
                   arena_printf(a, "ASAN_OPTIONS=hard_rss_limit_mb=%d:max_allocation_size_mb=%d",
                                PROGRAM_MIB, PROGRAM_MIB / 2),
                   NULL};
    const char *program = arena_printf(a, "%s/repro", dir);
    const char *held[] = {t->bwrap, "--ro-bind", "/",   "/",        "--dev",     "/dev",
                          "--proc", "/proc",     "--unshare-all", "--die-with-parent", "--", program, NULL};
    const char *plain[] = {program, NULL};
    Start s = {.dir = dir, .argv = t->bwrap ? held : plain, .env = env, .program = true};
    // bubblewrap could not set up its view behind our own rules.
    s.hold = t->bwrap ? NOT_HELD : contain_prepare_hold(a, dir);
    Ran ran = start(a, &s);
    if (s.hold >= 0) close(s.hold);
    return ran;
}
