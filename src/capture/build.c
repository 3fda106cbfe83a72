// A build observed: a library preloaded into its processes, shims in PATH for the tools that load
// none, the command run as it is, then the log read.
#include "base/child.h"
#include "base/file.h"
#include "capture/capture_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A call is some hundred bytes; this is a build of a million calls.
enum { LOG_BYTES = 2000 << 20 };

// Variables, and words NAME=VALUE of the build command, that name a tool by its path, which PATH
// cannot turn aside.
static const char *const tool_names[] = {"CC",
                                         "CXX",
                                         "AR",
                                         "LD",
                                         "HOSTCC",
                                         "HOSTCXX",
                                         "CC_FOR_BUILD",
                                         "CXX_FOR_BUILD",
                                         "BUILD_CC",
                                         "CMAKE_C_COMPILER",
                                         "CMAKE_CXX_COMPILER",
                                         "CMAKE_C_COMPILER_LAUNCHER",
                                         "CMAKE_CXX_COMPILER_LAUNCHER"};
enum { TOOL_NAMES = sizeof tool_names / sizeof *tool_names };

typedef struct {
    const char *self;    // what the shims are
    const char *preload; // the library; null: none can be used, and shims do all the work
    const char *shims;   // directory, or null: the library sees every tool in PATH
    const char *log_dir, *root;
    char **argv;
    struct sigaction old_int, old_quit; // the build's own
    sigset_t old_mask;
    sigset_t ends; // signals that ask us to end
} Observe;

// "/opt/bin/gcc -m32" with the shim in place of the first word; null when nothing is to change.
static const char *redirect(Arena *a, const Observe *o, const char *value)
{
    size_t n = strcspn(value, " \t");
    if (!memchr(value, '/', n)) return NULL;
    const char *shim =
        shims_make_for(a, o->self, o->preload != NULL, arena_strndup(a, value, n));
    return shim ? arena_printf(a, "%s%s", shim, value + n) : NULL;
}

// make CC=/opt/bin/gcc, cmake -DCMAKE_C_COMPILER=/opt/bin/gcc.
static const char *redirect_word(Arena *a, const Observe *o, const char *word)
{
    const char *name = strncmp(word, "-D", 2) == 0 ? word + 2 : word;
    size_t n = strcspn(name, "=:");
    const char *equals = strchr(name, '=');
    if (!equals) return NULL;
    for (int i = 0; i < TOOL_NAMES; i++) {
        if (strlen(tool_names[i]) != n || strncmp(name, tool_names[i], n) != 0) continue;
        const char *value = redirect(a, o, equals + 1);
        return value ? arena_printf(a, "%.*s%s", (int)(equals + 1 - word), word, value) : NULL;
    }
    return NULL;
}

static void prepare_argv(Arena *a, Observe *o, char *const *argv)
{
    uint32_t n = 0;
    while (argv[n]) n++;
    o->argv = arena_array_of(a, char *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const char *other = i ? redirect_word(a, o, argv[i]) : redirect(a, o, argv[i]);
        o->argv[i] = arena_strdup(a, other ? other : argv[i]);
    }
}

static void set_environment(Arena *a, const Observe *o)
{
    const char *path = getenv("PATH"), *libraries = getenv("LD_PRELOAD");
    if (o->shims)
        setenv("PATH", arena_printf(a, "%s:%s", o->shims, path ? path : "/usr/bin:/bin"), 1);
    if (o->preload) {
        bool more = libraries && *libraries;
        setenv("LD_PRELOAD",
               arena_printf(a, "%s%s%s", o->preload, more ? ":" : "", more ? libraries : ""), 1);
    }
    setenv(SHIM_ENV_DIR, o->log_dir, 1);
    setenv(SHIM_ENV_ROOT, o->root, 1);
    unsetenv(SHIM_ENV_PARENT);
    unsetenv(SHIM_ENV_SEEN);
    for (int i = 0; i < TOOL_NAMES; i++) {
        const char *value = getenv(tool_names[i]);
        const char *other = value ? redirect(a, o, value) : NULL;
        if (other) setenv(tool_names[i], other, 1);
    }
}

// As system() does: an interrupt from the terminal is for the build; we then tell what we saw. The
// other signals that would end us are waited for, as the log must not stay behind.
static void hold_signals(Observe *o)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &ignore, &o->old_int);
    sigaction(SIGQUIT, &ignore, &o->old_quit);
    signals_of_end(&o->ends);
    sigset_t waited = o->ends;
    sigaddset(&waited, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &waited, &o->old_mask);
}

static void release_signals(const Observe *o)
{
    sigaction(SIGINT, &o->old_int, NULL);
    sigaction(SIGQUIT, &o->old_quit, NULL);
    sigprocmask(SIG_SETMASK, &o->old_mask, NULL);
}

// Waits for the build. A signal that asks us to end is handed on to it, so that no build is left that
// nobody waits for, and is what this returns; 0: none came.
static int wait_for_build(pid_t pid, const sigset_t *ends, int *raw)
{
    sigset_t wait_for = *ends;
    sigaddset(&wait_for, SIGCHLD);
    int interrupted = 0;
    for (;;) {
        pid_t ended = waitpid(pid, raw, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR)) return interrupted;
        int sig = sigwaitinfo(&wait_for, NULL);
        if (sig <= 0 || sig == SIGCHLD) continue;
        interrupted = sig;
        kill(pid, sig);
    }
}

// Runs the command to its end. False when it could not be started.
static bool run(Arena *a, Diag *d, const Observe *o, int *status, int *interrupted)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) die("no pipe for the build: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        release_signals(o);
        set_environment(a, o);
        execvp(o->argv[0], o->argv);
        int error = errno;
        _exit(write(fds[1], &error, sizeof error) == sizeof error ? 127 : 126);
    }
    close(fds[1]);
    int error = 0, raw = 0;
    bool started = pid > 0;
    if (started) {
        ssize_t n;
        while ((n = read(fds[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
        if (n == sizeof error) started = false;
        *interrupted = wait_for_build(pid, &o->ends, &raw);
    } else {
        error = errno;
    }
    close(fds[0]);
    *status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
    if (!started) diag_error(d, "%s cannot be run: %s", o->argv[0], strerror(error));
    return started;
}

static bool is_same_work(ToolKind outer, ToolKind inner)
{
    return outer == inner || (outer == TOOL_LAUNCHER && inner == TOOL_COMPILER);
}

static void parse(Collector *c, const Record *r, Command *command)
{
    command_parse(c->a, r->directory, &r->argv, command);
    command_add_env(c->a, command, r->env);
}

// A tool that only preprocesses does not do the work of the script around it, such as a compiler
// cache that had the object already.
static bool does_work(Collector *c, const Record *r)
{
    ToolKind kind = tool_kind(r->argv.at[0]);
    if (kind != TOOL_COMPILER && kind != TOOL_LAUNCHER) return true;
    Command command;
    parse(c, r, &command);
    return command.mode != MODE_NO_OBJECT;
}

// as -o OUTPUT SOURCE. A source that is gone by now was a compiler's own, one that was not seen: its
// object counts as made by nobody, which is said where it is linked.
static void collect_as(Collector *c, const Record *r)
{
    const char *output = NULL;
    const Command *from = NULL; // what made the source
    bool gone = false;
    for (uint32_t w = 1; w < r->argv.len; w++) {
        const char *word = r->argv.at[w], *reason;
        if (strcmp(word, "-o") == 0 && w + 1 < r->argv.len) {
            output = path_join(c->a, r->directory, r->argv.at[++w]);
        } else if (flags_language_of(word, &reason) == OPERAND_ASSEMBLER) {
            const char *source = collect_path(c->a, r->directory, word);
            from = collect_assembled(c, source);
            if (from)
                continue;
            else if (file_exists(source))
                collect_skip(c, source, OPERAND_ASSEMBLER, reason);
            else
                gone = true;
        }
    }
    if (output && from) {
        Command whole = *from;
        whole.output = output;
        collect_command(c, &whole);
    } else if (output && !gone) {
        collect_other(c, output);
    }
}

// A shim or a script in a compiler's place starts tools in its turn. Where it starts the compiler,
// that call tells more and stands for both. Where the compiler itself cannot be seen, only its own
// assembler and linker are: the script's call stands, and they are parts of it.
static void interpret(Collector *c, const Records *records)
{
    Map record_of = {0}, replaced = {0}; // by Name of the id
    vec_each (i, records) map_set(&record_of, name_of(c->names, records->at[i].id).id, i);
    vec_each (i, records) {
        const Record *r = &records->at[i];
        Name parent = name_of(c->names, r->parent);
        const uint64_t *at = map_get(&record_of, parent.id);
        const Record *outer = at ? &records->at[*at] : NULL;
        if (outer && outer->through &&
            is_same_work(tool_kind(outer->argv.at[0]), tool_kind(r->argv.at[0])) && does_work(c, r))
            map_set(&replaced, parent.id, 1);
    }
    vec_each (i, records) {
        const Record *r = &records->at[i];
        ToolKind kind = tool_kind(r->argv.at[0]);
        if (map_get(&replaced, name_of(c->names, r->id).id)) continue;
        const uint64_t *at = map_get(&record_of, name_of(c->names, r->parent).id);
        const Record *outer = at ? &records->at[*at] : NULL;
        if (outer && (!outer->through || !is_same_work(tool_kind(outer->argv.at[0]), kind)))
            continue;
        c->out->counts.commands++;
        Command command;
        switch (kind) {
        case TOOL_AR:
            collect_ar(c, r->directory, &r->argv);
            break;
        case TOOL_LD:
            collect_ld(c, r->directory, &r->argv);
            break;
        case TOOL_AS:
            collect_as(c, r);
            break;
        default:
            parse(c, r, &command);
            collect_command(c, &command);
        }
    }
    map_free(&record_of);
    map_free(&replaced);
}

static void read_log(Arena *a, Diag *d, const Observe *o, int64_t began, Capture *out)
{
    Collector c;
    collect_begin(&c, a, d, out);
    c.drop_vanished = true;
    size_t len = 0;
    char *text = file_read(arena_printf(a, "%s/" SHIM_LOG, o->log_dir), LOG_BYTES, &len);
    Records records = {0};
    if (text && !records_read(a, text, len, &records)) {
        out->counts.unusable++;
        diag_warn(d, "the log of compiler calls is damaged after call %u", records.len);
    }
    mem_free(text);
    interpret(&c, &records);
    vec_free(&records);
    collect_unseen(&c, o->root, began);
    collect_end(&c);
}

// The small program made for this, beside stanch or where it is installed; else stanch itself.
static const char *shim_program(Arena *a, const char *self)
{
    const char *dir = path_dir(a, self);
    const char *const places[] = {path_join(a, dir, "stanch-shim"),
                                  path_join(a, dir, "../libexec/stanch/stanch-shim")};
    for (int i = 0; i < 2; i++)
        if (access(places[i], X_OK) == 0) return places[i];
    return self;
}

// Does a shell load the library? Where it does not (another C library, a policy of the machine)
// shims do the work.
static bool preload_works(Arena *a, const char *lib)
{
    char *argv[] = {"sh", "-c", "exit 0", NULL};
    char *env[] = {arena_printf(a, "LD_PRELOAD=%s", lib), SHIM_ENV_PROBE "=1", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    int raw = 0;
    bool started = posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, env) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(pid, &raw, 0) < 0)
        if (errno != EINTR) return false;
    return started && WIFEXITED(raw) && WEXITSTATUS(raw) == PRELOAD_PROBE_STATUS;
}

// STANCH_PRELOAD, which may be empty for none; else beside the shim. Null: none that works.
static const char *preload_library(Arena *a, const char *self)
{
    const char *given = getenv("STANCH_PRELOAD"), *dir = path_dir(a, self);
    const char *const places[] = {given ? path_join(a, path_cwd(a), given)
                                        : path_join(a, dir, "stanch-preload.so"),
                                  path_join(a, dir, "../libexec/stanch/stanch-preload.so")};
    if (given && !*given) return NULL;
    for (int i = 0; i < (given ? 1 : 2); i++)
        // The list of libraries has blanks and colons between them.
        if (access(places[i], R_OK) == 0)
            return !strpbrk(places[i], ": \t\n") && preload_works(a, places[i]) ? places[i] : NULL;
    return NULL;
}

bool capture_build(Arena *a, Diag *d, char *const *argv, Capture *out)
{
    *out = (Capture){.observed = true};
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        diag_error(d, "the path of stanch itself is not known, /proc is needed: %s",
                   strerror(errno));
        return false;
    }
    self[n] = 0;
    const char *tmp = getenv("TMPDIR");
    char *log_dir = arena_printf(a, "%s/stanch-build.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    Observe o = {.self = shim_program(a, self), .root = path_cwd(a)};
    o.preload = preload_library(a, self);
    if (!shims_make(a, d, o.self, o.preload != NULL, &o.shims)) return false;
    hold_signals(&o);
    if (!mkdtemp(log_dir)) {
        release_signals(&o);
        diag_error(d, "%s: %s", log_dir, strerror(errno));
        return false;
    }
    o.log_dir = path_join(a, o.root, log_dir);
    prepare_argv(a, &o, argv);
    int status, interrupted = 0;
    int64_t began = time(NULL);
    bool started = run(a, d, &o, &status, &interrupted);
    if (started && !interrupted) read_log(a, d, &o, began, out);
    out->observed = true;
    out->build_status = started ? status : 0;
    unlink(arena_printf(a, "%s/" SHIM_LOG, o.log_dir));
    rmdir(o.log_dir);
    release_signals(&o);
    if (interrupted) {
        signal(interrupted, SIG_DFL);
        raise(interrupted);
    }
    if (!started) return false;
    if (!out->jobs.len && !status)
        diag_error(d,
                   "%s compiled no C or C++ file that could be seen; perhaps everything is up to date "
                   "(start from a clean tree), or the compiler runs elsewhere: in a container, or in "
                   "a server that was started before%s",
                   argv[0],
                   o.preload ? ""
                             : " (the library that observes compilers called by absolute path "
                               "could not be preloaded)");
    return out->jobs.len > 0;
}
