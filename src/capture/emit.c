// One job to bitcode with our own clang, in a child with limits and a cleaned environment.
//
// -O1 -disable-llvm-passes rather than -O0: the front end then writes the prototypes of external
// functions into debug info and marks the lifetimes of locals, and nothing is optimised.
// Value names are not asked for (-fno-discard-value-names): debug info has them all.
#include "base/child.h"
#include "base/file.h"
#include "capture/capture_int.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Generous: the largest known single files need half a minute and 2 GiB.
enum { CPU_SECONDS = 900, WALL_SECONDS = 1800, MESSAGE_BYTES = 64 << 10 };
static const rlim_t MEMORY_BYTES = (rlim_t)16 << 30, FILE_BYTES = (rlim_t)4 << 30;

// Distributions put links with the compilers' names to ccache first in PATH; it would write to its
// own cache, and start who knows what.
static bool is_launcher(const char *path)
{
    char *real = realpath(path, NULL);
    bool launcher = real && tool_kind(real) == TOOL_LAUNCHER;
    free(real);
    return launcher;
}

const char *capture_find_clang(Arena *a, Diag *d)
{
    const char *given = getenv("STANCH_CLANG");
    const char *name = given && *given ? given : "clang-19";
    if (strchr(name, '/')) {
        const char *path = path_join(a, path_cwd(a), name);
        if (access(path, X_OK) == 0 && !file_is_dir(path)) return path;
        diag_error(d, "%s, which STANCH_CLANG names, cannot be run", name);
        return NULL;
    }
    const char *dirs = getenv("PATH");
    for (const char *s = dirs ? dirs : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        // An empty or relative entry means the working directory, which may be hostile.
        if (s[0] == '/') {
            const char *path = arena_printf(a, "%.*s/%s", (int)n, s, name);
            if (access(path, X_OK) == 0 && !file_is_dir(path) && !is_launcher(path)) return path;
        }
        s += n + (s[n] == ':');
    }
    diag_error(d, "%s is not in PATH (STANCH_CLANG may name another)", name);
    return NULL;
}

// What clang cannot express, it can at least carry: attributes become annotations. A program that
// defines such a name itself wins, as its definition comes later.
static const char *const fixed_flags[] = {
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-emit-llvm",
    "-c",
    "-fno-strict-aliasing", // no type metadata on loads and stores: a tenth of clang's time
    "-U_FORTIFY_SOURCE",
    // Marks the variables that a file declares without a value: if nothing here sets one, something
    // that is not here does.
    "-fcommon",
    // The C library's headers give getline and others a body when a build optimizes, which calls
    // internals; the specification of the function says more than such a body.
    "-D__NO_INLINE__=1",
    // libstdc++ then counts references by two counters, never by one load over both of them.
    "-D_GLIBCXX_TSAN=1",
    "-U__clang_analyzer__",
    "-Downership_returns(...)=annotate(\"own.ret \"#__VA_ARGS__)",
    "-D__ownership_returns__(...)=annotate(\"own.ret \"#__VA_ARGS__)",
    "-Downership_takes(...)=annotate(\"own.take \"#__VA_ARGS__)",
    "-D__ownership_takes__(...)=annotate(\"own.take \"#__VA_ARGS__)",
    "-Downership_holds(...)=annotate(\"own.hold \"#__VA_ARGS__)",
    "-D__ownership_holds__(...)=annotate(\"own.hold \"#__VA_ARGS__)",
    "-D__malloc__(...)=annotate(\"own.malloc \"#__VA_ARGS__)",
    // Old C: whatever can be a warning is none. Implicit functions and ints, mixed pointers and
    // integers, wrong returns are all errors by default that this turns off.
    "-Wno-everything",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
};

// For the second try: GCC's malloc (deallocator, n) without underscores is an error in clang, and
// `malloc` as a macro would break every struct member of that name. So it is defined only when
// clang has complained: with two arguments it is the attribute, else the function. The form with
// one argument cannot be told from a call and stays an error.
static const char *const malloc_flags[] = {
    "-Dstanch_pick_(a,b,c,...)=c",
    "-Dstanch_call_(...)=malloc(__VA_ARGS__)",
    "-Dstanch_attribute_(...)=annotate(\"own.malloc \"#__VA_ARGS__)",
    "-Dmalloc(...)=stanch_pick_(__VA_ARGS__,stanch_attribute_,stanch_call_,)(__VA_ARGS__)",
};

typedef enum { TRY_MALLOC = 1, TRY_NO_MACHINE = 2 } Tries;

static const char **clang_argv(Arena *a, const char *clang, const CaptureJob *job,
                               const char *bitcode, const char *deps, unsigned tries)
{
    Words w = {0};
    vec_push(&w, clang);
    // No configuration file of the machine or the user; it could name plugins.
    vec_push(&w, "--no-default-config");
    for (uint32_t i = 0; i < job->flag_count; i++) {
        const char *f = job->flags[i];
        if ((tries & TRY_NO_MACHINE) && flags_is_machine(f)) continue;
        if (strncmp(f, "-include", 8) == 0) {
            // Past the driver, which would take a precompiled file beside the header instead.
            vec_push(&w, "-Xclang");
            vec_push(&w, "-include");
            vec_push(&w, "-Xclang");
            vec_push(&w, f + 8);
        } else {
            vec_push(&w, f);
        }
    }
    for (size_t i = 0; i < sizeof fixed_flags / sizeof *fixed_flags; i++)
        vec_push(&w, fixed_flags[i]);
    if (tries & TRY_MALLOC)
        for (size_t i = 0; i < sizeof malloc_flags / sizeof *malloc_flags; i++)
            vec_push(&w, malloc_flags[i]);
    // A fixed target, so that the dependency file does not depend on where the bitcode goes.
    static const char *const depend[] = {"-MD", "-MT", "unit", "-MF"};
    for (size_t i = 0; i < sizeof depend / sizeof *depend; i++) vec_push(&w, depend[i]);
    vec_push(&w, deps);
    vec_push(&w, "-o");
    vec_push(&w, bitcode);
    vec_push(&w, "-x");
    vec_push(&w, job->language == CAPTURE_CXX ? "c++" : "c");
    vec_push(&w, "--");
    vec_push(&w, job->source);
    vec_push(&w, NULL);
    vec_keep(&w, a);
    return w.at;
}

const char **capture_clang_argv(Arena *a, const char *clang, const CaptureJob *job,
                                const char *bitcode, const char *deps)
{
    return clang_argv(a, clang, job, bitcode, deps, 0);
}

// Only what clang needs. CCC_OVERRIDE_OPTIONS, COMPILER_PATH, CPATH, LD_PRELOAD and the like do
// not get through; a fixed date makes __DATE__ the same in every run.
static char **clean_environment(Arena *a)
{
    const char *path = getenv("PATH"), *tmp = getenv("TMPDIR");
    char **env = arena_array_of(a, char *, 8);
    int n = 0;
    env[n++] = arena_printf(a, "PATH=%s", path ? path : "/usr/bin:/bin");
    env[n++] = arena_strdup(a, "LC_ALL=C");
    env[n++] = arena_strdup(a, "SOURCE_DATE_EPOCH=0");
    if (tmp) env[n++] = arena_printf(a, "TMPDIR=%s", tmp);
    return env;
}

static CaptureEmit run(Arena *a, const char *directory, const char *const *argv)
{
    const ChildLimit limits[] = {{RLIMIT_CPU, CPU_SECONDS, CPU_SECONDS + 10},
                                 {RLIMIT_AS, MEMORY_BYTES, MEMORY_BYTES},
                                 {RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES}};
    ChildEnd end = child_run(a, &(ChildStart){.dir = directory,
                                              .argv = argv,
                                              .env = clean_environment(a),
                                              .limits = limits,
                                              .limit_count = sizeof limits / sizeof *limits,
                                              .seconds = WALL_SECONDS,
                                              .most = MESSAGE_BYTES,
                                              .errors_only = true});
    if (end.error)
        return (CaptureEmit){CAPTURE_NO_CLANG,
                             arena_printf(a, "no process: %s", strerror(end.error))};
    CaptureEmit e = {CAPTURE_FAILED, end.text};
    if (end.timed_out)
        e.status = CAPTURE_TOO_LONG;
    else if (WIFSIGNALED(end.status))
        e.status = WTERMSIG(end.status) == SIGXCPU || WTERMSIG(end.status) == SIGXFSZ
                       ? CAPTURE_TOO_LONG
                       : CAPTURE_CRASHED;
    else if (WEXITSTATUS(end.status) == 0)
        e.status = CAPTURE_EMITTED;
    else if (WEXITSTATUS(end.status) == CHILD_NO_PROGRAM)
        e.status = CAPTURE_NO_CLANG;
    else if (WEXITSTATUS(end.status) > 128)
        e.status = CAPTURE_CRASHED;
    return e;
}

CaptureEmit capture_emit(Arena *a, const char *clang, const CaptureJob *job, const char *bitcode,
                         const char *deps)
{
    unsigned tries = 0;
    if (!flags_source_is_safe(job->source))
        return (CaptureEmit){CAPTURE_FAILED,
                             "a source whose name begins with @ is not compiled: clang would read "
                             "it as a file of options\n"};
    for (;;) {
        CaptureEmit e = run(a, job->directory, clang_argv(a, clang, job, bitcode, deps, tries));
        if (e.status == CAPTURE_EMITTED) return e;
        unlink(bitcode);
        unlink(deps);
        unsigned more = tries;
        if (e.status == CAPTURE_FAILED) {
            if (strstr(e.messages, "'malloc' attribute takes no arguments")) more |= TRY_MALLOC;
            // GCC's processor names and features which clang does not have: without them the
            // unit still means the same, but for code that asks for a feature.
            if (strstr(e.messages, "unknown target CPU") ||
                strstr(e.messages, "unknown argument") ||
                strstr(e.messages, "unsupported option") ||
                strstr(e.messages, "unsupported argument"))
                more |= TRY_NO_MACHINE;
        }
        if (more == tries) return e;
        tries = more;
    }
}
