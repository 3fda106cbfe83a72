// One child: started in a process group of its own, read without blocking, ended when it is
// cancelled, takes too long or writes too much.
#include "lsp/lsp_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// In the child: only calls that are safe after fork.
static _Noreturn void become(const char *const *argv, const char *directory, int out, int err,
                             pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); // it cleans up after itself
    int null = open("/dev/null", O_RDONLY);
    if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(err, 2) < 0 || chdir(directory) != 0)
        _exit(127);
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

bool job_start(Job *j, const char *const *argv, const char *directory, uint32_t limit,
               double seconds, const char **why)
{
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (pipe2(err, O_CLOEXEC) != 0) {
        *why = strerror(errno);
        close(out[0]);
        close(out[1]);
        return false;
    }
    pid_t self = getpid(), pid = fork();
    if (pid == 0) become(argv, directory, out[1], err[1], self);
    if (pid < 0) *why = strerror(errno);
    close(out[1]);
    close(err[1]);
    if (pid < 0) {
        close(out[0]);
        close(err[0]);
        return false;
    }
    setpgid(pid, pid);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    *j = (Job){.pid = pid, .out = out[0], .err = err[0], .limit = limit, .started = now()};
    j->deadline = j->started + seconds;
    return true;
}

static void end(Job *j)
{
    if (j->kill_at) return;
    kill(-j->pid, SIGTERM);
    j->kill_at = now() + 2;
}

void job_cancel(Job *j)
{
    if (!j->pid) return;
    j->cancelled = true;
    end(j);
}

// Reads until there is nothing more for now. False at the end of the stream.
static bool drain(int fd, Chars *into, uint32_t limit, bool *too_much)
{
    char buffer[65536];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN;
        if (n == 0) return false;
        size_t room = limit - into->len, take = (size_t)n < room ? (size_t)n : room;
        vec_append(into, buffer, take);
        if (take < (size_t)n && too_much) *too_much = true;
    }
}

static void read_all(Job *j)
{
    if (j->out >= 0 && !drain(j->out, &j->output, j->limit, &j->too_much)) {
        close(j->out);
        j->out = -1;
    }
    if (j->err >= 0 && !drain(j->err, &j->errors, MAX_ERRORS, NULL)) {
        close(j->err);
        j->err = -1;
    }
}

bool job_step(Job *j)
{
    if (!j->pid) return false;
    // Reaped first: what it wrote before it ended is in the pipes by then.
    pid_t reaped = waitpid(j->pid, &j->status, WNOHANG);
    read_all(j);
    if (reaped == 0) {
        if (now() > j->deadline && !j->kill_at) j->too_long = true;
        if (j->too_long || j->too_much) end(j);
        if (j->kill_at && now() > j->kill_at) kill(-j->pid, SIGKILL);
        return false;
    }
    kill(-j->pid, SIGKILL); // whoever it left behind
    if (j->out >= 0) close(j->out);
    if (j->err >= 0) close(j->err);
    j->out = j->err = -1;
    j->pid = 0;
    return true;
}

int job_wait(const Job *j, int most)
{
    if (!j->pid) return most;
    double until = j->kill_at ? j->kill_at : j->deadline;
    double ms = (until - now()) * 1000;
    // Its pipes are closed, so it ends at any moment, and nothing will wake us.
    if (j->out < 0 && ms > 10) ms = 10;
    return ms < 1 ? 1 : ms < most ? (int)ms : most;
}

void job_clear(Job *j)
{
    if (j->pid) {
        kill(-j->pid, SIGTERM);
        double until = now() + 1;
        while (!job_step(j)) {
            if (now() > until) kill(-j->pid, SIGKILL);
            usleep(2000);
        }
    }
    vec_free(&j->output);
    vec_free(&j->errors);
    *j = (Job){.out = -1, .err = -1};
}
