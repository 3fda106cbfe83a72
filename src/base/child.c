#include "base/child.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void limit(int what, rlim_t soft, rlim_t hard)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0) return;
    if (now.rlim_max != RLIM_INFINITY && hard > now.rlim_max) hard = now.rlim_max;
    if (soft > hard) soft = hard;
    setrlimit(what, &(struct rlimit){soft, hard});
}

static _Noreturn void say_and_end(const char *text, size_t n, int status)
{
    _exit(write(2, text, n) == (ssize_t)n ? status : 125);
}

// After fork: only calls that are safe there.
static _Noreturn void begin(const ChildStart *s, int out)
{
    static const char no_dir[] = "the directory of the command cannot be entered\n";
    static const char no_program[] = "the program cannot be started\n";
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it must not outlive us
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) dup2(null, 0);
    dup2(s->errors_only && null >= 0 ? null : out, 1);
    dup2(out, 2);
    limit(RLIMIT_CORE, 0, 0);
    for (uint32_t i = 0; i < s->limit_count; i++)
        limit(s->limits[i].what, s->limits[i].soft, s->limits[i].hard);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (chdir(s->dir) != 0) say_and_end(no_dir, sizeof no_dir - 1, CHILD_NO_DIR);
    if (s->hold) s->hold(s->how);
    execve(s->argv[0], (char *const *)s->argv, s->env);
    say_and_end(no_program, sizeof no_program - 1, CHILD_NO_PROGRAM);
}

// To its end; false when that takes too long.
static bool read_output(int fd, const ChildStart *s, Chars *text)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t end = now.tv_sec + s->seconds;
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
        size_t room = text->len < s->most ? s->most - text->len : 0;
        vec_append(text, buffer, (size_t)n < room ? (size_t)n : room);
    }
}

ChildEnd child_run(Arena *a, const ChildStart *s)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return (ChildEnd){.error = errno, .text = ""};
    pid_t pid = fork();
    if (pid < 0) {
        ChildEnd none = {.error = errno, .text = ""};
        close(fds[0]);
        close(fds[1]);
        return none;
    }
    if (pid == 0) {
        if (s->group) setpgid(0, 0);
        begin(s, fds[1]);
    }
    close(fds[1]);
    if (s->group) setpgid(pid, pid);
    Chars text = {0};
    ChildEnd end = {.timed_out = !read_output(fds[0], s, &text)};
    if (end.timed_out) kill(s->group ? -pid : pid, SIGKILL);
    close(fds[0]);
    while (waitpid(pid, &end.status, 0) < 0 && errno == EINTR) {
    }
    if (s->group) kill(-pid, SIGKILL);
    for (uint32_t i = 0; i < text.len; i++)
        if (!text.at[i]) text.at[i] = '?';
    end.text = arena_strndup(a, text.at ? text.at : "", text.len);
    vec_free(&text);
    return end;
}

void signals_of_end(sigset_t *set)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (int i = 0; i < 3; i++) {
        struct sigaction now;
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(set, ends[i]);
    }
}

void signals_hold(sigset_t *before)
{
    sigset_t ends;
    signals_of_end(&ends);
    pthread_sigmask(SIG_BLOCK, &ends, before);
}

void signals_release(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
