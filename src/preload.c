// stanch-preload.so: loaded into every process of an observed build (LD_PRELOAD), so that compilers
// are seen however they are called: by absolute path, from ninja, through a script.
//
// A process notes itself: when the library is loaded into a compiler, archiver or linker, it writes
// the call to the build's log before main runs. Working directory and arguments are then exactly
// those of the tool, and a call that never happened is never noted. A tool that is a program is
// left alone from then on: the library takes itself out of the environment, so that cc1, as and
// collect2 run as they would without us. A tool that is a script keeps being observed, since the
// compiler which it starts knows better which flags there are.
//
// The exec functions are watched for two more things. A program that would not load the library (a
// static one) is noted by whoever starts it. And an environment from which a build has removed our
// variables (env -i) gets them back.
//
// Programs that a preloaded library would break (another C library, AddressSanitizer's runtime, which
// must come first) are started without it: see elf_fit. The build must not notice anything.
#include "base/file.h"
#include "capture/capture_int.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { PATH_BYTES = 4096, ID_BYTES = 256 };

// Written by the constructor and never again: a process may run exec functions on any thread, or in
// a child that shares its memory.
static struct {
    bool active;
    char lib[PATH_BYTES];
    // As "NAME=VALUE", for environments that lack them.
    char dir[PATH_BYTES], root[PATH_BYTES];
    char parent[sizeof SHIM_ENV_PARENT + ID_BYTES];
    int (*execve)(const char *, char *const[], char *const[]);
    int (*execvpe)(const char *, char *const[], char *const[]);
    int (*execveat)(int, const char *, char *const[], char *const[], int);
    int (*fexecve)(int, char *const[], char *const[]);
    int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                 const posix_spawnattr_t *, char *const[], char *const[]);
    int (*spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                  const posix_spawnattr_t *, char *const[], char *const[]);
} state;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- the list of preloaded libraries ----

// Where our library is in the list, or null.
static const char *find_in_list(const char *list, size_t *len)
{
    size_t n = strlen(state.lib);
    for (const char *s = list; *s;) {
        size_t m = strcspn(s, ": ");
        if (m == n && strncmp(s, state.lib, n) == 0) {
            *len = n;
            return s;
        }
        s += m + (s[m] != 0);
    }
    return NULL;
}

// The list without our library; `out` has room for the list.
static void remove_from_list(const char *list, char *out)
{
    size_t n;
    const char *at = find_in_list(list, &n);
    if (!at) {
        strcpy(out, list);
        return;
    }
    size_t before = (size_t)(at - list);
    const char *rest = at + n;
    if (*rest)
        rest++;
    else if (before)
        before--;
    memcpy(out, list, before);
    strcpy(out + before, rest);
}

// ---- environments ----

#define PRELOAD_VARIABLE "LD_PRELOAD="

static bool is_variable(const char *entry, const char *name)
{
    return strncmp(entry, name, strlen(name)) == 0;
}

static bool is_ours(const char *entry)
{
    return is_variable(entry, SHIM_ENV_DIR "=") || is_variable(entry, SHIM_ENV_ROOT "=") ||
           is_variable(entry, SHIM_ENV_PARENT "=");
}

// What an environment needs: how many entries and how long a list of libraries it has.
typedef struct {
    size_t entries, list;
    bool complete; // nothing of ours is missing
} EnvSize;

static EnvSize env_size(char *const *env)
{
    EnvSize s = {0};
    bool lib = false, dir = false, root = false;
    for (; env && env[s.entries]; s.entries++) {
        const char *e = env[s.entries];
        size_t n;
        if (is_variable(e, PRELOAD_VARIABLE)) {
            s.list = strlen(e);
            lib = find_in_list(e + sizeof PRELOAD_VARIABLE - 1, &n) != NULL;
        }
        dir = dir || is_variable(e, SHIM_ENV_DIR "=");
        root = root || is_variable(e, SHIM_ENV_ROOT "=");
    }
    s.complete = lib && dir && root;
    return s;
}

// Fills `out` (entries + 6) with the environment and what it lacks; `list` has room for its list
// and our library.
static void env_complete(char *const *env, char **out, char *list)
{
    size_t n = 0;
    const char *others = "";
    bool parent = false;
    for (; env && *env; env++) {
        if (is_variable(*env, PRELOAD_VARIABLE)) {
            others = *env + sizeof PRELOAD_VARIABLE - 1;
            continue;
        }
        parent = parent || is_variable(*env, SHIM_ENV_PARENT "=");
        if (!is_variable(*env, SHIM_ENV_DIR "=") && !is_variable(*env, SHIM_ENV_ROOT "="))
            out[n++] = *env;
    }
    size_t len;
    if (find_in_list(others, &len))
        sprintf(list, PRELOAD_VARIABLE "%s", others);
    else
        sprintf(list, PRELOAD_VARIABLE "%s%s%s", state.lib, *others ? ":" : "", others);
    out[n++] = list;
    out[n++] = state.dir;
    out[n++] = state.root;
    if (!parent && state.parent[0]) out[n++] = state.parent;
    out[n] = NULL;
}

// The environment as the build made it: nothing of ours in it.
static void env_clean(char *const *env, char **out, char *list)
{
    size_t n = 0;
    for (; env && *env; env++) {
        if (is_variable(*env, PRELOAD_VARIABLE)) {
            strcpy(list, PRELOAD_VARIABLE);
            remove_from_list(*env + sizeof PRELOAD_VARIABLE - 1, list + sizeof PRELOAD_VARIABLE - 1);
            if (list[sizeof PRELOAD_VARIABLE - 1]) out[n++] = list;
        } else if (!is_ours(*env)) {
            out[n++] = *env;
        }
    }
    out[n] = NULL;
}

static const char *env_value(char *const *env, const char *name)
{
    size_t n = strlen(name);
    for (; env && *env; env++)
        if (strncmp(*env, name, n) == 0 && (*env)[n] == '=') return *env + n + 1;
    return NULL;
}

// ---- notes ----

static void note(const char *tool, const char *parent, bool through, char *const *args,
                 char *const *env, char id_out[ID_BYTES])
{
    char cwd[PATH_BYTES];
    if (!getcwd(cwd, sizeof cwd)) return;
    Arena *a = arena_new("preload");
    Record r = {.id = record_id(a),
                .parent = parent ? parent : "",
                .directory = cwd,
                .through = through};
    for (int i = 0; i < CAPTURE_ENV_COUNT; i++) r.env[i] = env_value(env, capture_env_names[i]);
    vec_push(&r.argv, tool);
    for (; args && *args; args++) vec_push(&r.argv, *args);
    // A call that cannot be noted is none of the build's business; the objects that nobody is known
    // to have compiled are said at the end.
    record_call(a, strchr(state.dir, '=') + 1, strchr(state.root, '=') + 1, &r);
    if (id_out) snprintf(id_out, ID_BYTES, "%s", r.id);
    vec_free(&r.argv);
    arena_free(a);
}

static bool beside_mark(const char *path)
{
    char mark[PATH_BYTES + sizeof SHIM_MARK];
    size_t n = (size_t)(base_of(path) - path);
    if (!n || n >= PATH_BYTES) return false;
    memcpy(mark, path, n);
    strcpy(mark + n, SHIM_MARK);
    return access(mark, F_OK) == 0;
}

// ---- exec ----

// Where an exec function with a "p" in its name finds the file; null when it does not.
static const char *search(const char *file, char buffer[PATH_BYTES])
{
    if (strchr(file, '/')) return file;
    const char *path = getenv("PATH");
    for (const char *s = path ? path : "/bin:/usr/bin"; *s;) {
        size_t n = strcspn(s, ":");
        int m = snprintf(buffer, PATH_BYTES, "%.*s%s%s", (int)n, s, n ? "/" : "", file);
        if (m > 0 && m < PATH_BYTES && access(buffer, X_OK) == 0) return buffer;
        s += n + (s[n] == ':');
    }
    return NULL;
}

// What the program will be given. `out` and `list` have the room that env_complete needs.
static char *const *environment_for(const char *path, char *const *argv, char *const *env,
                                    const EnvSize *size, char **out, char *list)
{
    int saved = errno;
    char *const *result = env;
    ElfFit fit = path ? elf_fit(path) : ELF_TAKES;
    bool tool = fit != ELF_TAKES && tool_kind(path) != TOOL_NONE && access(path, X_OK) == 0;
    if (tool) {
        note(path, env_value(env, SHIM_ENV_PARENT), false, argv && *argv ? argv + 1 : NULL, env,
             NULL);
        env_clean(env, out, list);
        result = out;
    } else if (fit == ELF_BREAKS) {
        env_clean(env, out, list);
        result = out;
    } else if (!size->complete) {
        env_complete(env, out, list);
        result = out;
    }
    errno = saved;
    return result;
}

// On the stack of the caller, which may be a child that shares its parent's heap.
#define ENVIRONMENT_FOR(result, path, argv, env)                                                   \
    EnvSize size_ = env_size(env);                                                                 \
    char **out_ = alloca((size_.entries + 6) * sizeof *out_);                                      \
    char *list_ = alloca(size_.list + sizeof state.lib + sizeof PRELOAD_VARIABLE + 2);             \
    char *const *result = state.active ? environment_for(path, argv, env, &size_, out_, list_) : env

static void resolve(void)
{
    if (state.execve) return;
    state.execve = (typeof(state.execve))dlsym(RTLD_NEXT, "execve");
    state.execvpe = (typeof(state.execvpe))dlsym(RTLD_NEXT, "execvpe");
    state.execveat = (typeof(state.execveat))dlsym(RTLD_NEXT, "execveat");
    state.fexecve = (typeof(state.fexecve))dlsym(RTLD_NEXT, "fexecve");
    state.spawn = (typeof(state.spawn))dlsym(RTLD_NEXT, "posix_spawn");
    state.spawnp = (typeof(state.spawnp))dlsym(RTLD_NEXT, "posix_spawnp");
}

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
    resolve();
    ENVIRONMENT_FOR(given, path, argv, env);
    return state.execve(path, argv, given);
}

EXPORT int execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const env[])
{
    resolve();
    char buffer[PATH_BYTES];
    ENVIRONMENT_FOR(given, search(file, buffer), argv, env);
    return state.execvpe(file, argv, given);
}

EXPORT int execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

EXPORT int execveat(int dir, const char *path, char *const argv[], char *const env[], int flags)
{
    resolve();
    ENVIRONMENT_FOR(given, path[0] == '/' ? path : NULL, argv, env);
    if (state.execveat) return state.execveat(dir, path, argv, given, flags);
    errno = ENOSYS;
    return -1;
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
    resolve();
    ENVIRONMENT_FOR(given, NULL, argv, env);
    return state.fexecve(fd, argv, given);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
    resolve();
    ENVIRONMENT_FOR(given, path, argv, env);
    return state.spawn(pid, path, actions, attributes, argv, given);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
    resolve();
    char buffer[PATH_BYTES];
    ENVIRONMENT_FOR(given, search(file, buffer), argv, env);
    return state.spawnp(pid, file, actions, attributes, argv, given);
}

// The words of an execl call, and what follows their null (execle: the environment).
#define LIST_ARGUMENTS(argv, first, ap)                                                            \
    size_t count_ = 1;                                                                             \
    va_list ap, counting_;                                                                         \
    va_start(ap, first);                                                                           \
    va_copy(counting_, ap);                                                                        \
    while (va_arg(counting_, char *)) count_++;                                                    \
    va_end(counting_);                                                                             \
    char **argv = alloca((count_ + 1) * sizeof *argv);                                             \
    argv[0] = (char *)(uintptr_t)first;                                                            \
    for (size_t i_ = 1; i_ <= count_; i_++) argv[i_] = va_arg(ap, char *)

EXPORT int execl(const char *path, const char *first, ...)
{
    LIST_ARGUMENTS(argv, first, ap);
    va_end(ap);
    return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
    LIST_ARGUMENTS(argv, first, ap);
    va_end(ap);
    return execvpe(file, argv, environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
    LIST_ARGUMENTS(argv, first, ap);
    char **env = va_arg(ap, char **);
    va_end(ap);
    return execve(path, argv, env);
}

// ---- the start of a process ----

// Programs that are a compiler under another name, by what /proc says they are; but for those that
// a compiler is under a name of its own.
static ToolKind kind_by_file(const char *name, char file[PATH_BYTES])
{
    size_t n = strlen(name);
    if (n >= 3 && (strcmp(name + n - 3, "cpp") == 0 || strcmp(name + n - 3, "-cl") == 0))
        return TOOL_NONE;
    ssize_t len = readlink("/proc/self/exe", file, PATH_BYTES - 1);
    if (len <= 0) return TOOL_NONE;
    file[len] = 0;
    return tool_kind(file);
}

// The kernel puts a script's interpreter, and perhaps one word for it, before the script.
static char **arguments_behind(char **argv, const char *script)
{
    for (int i = 1; i <= 2 && argv[0] && argv[i]; i++) {
        if (strcmp(argv[i], script) == 0) return argv + i + 1;
        if (i == 1 && !argv[2]) break;
    }
    return NULL;
}

static void leave_alone(void)
{
    const char *list = getenv("LD_PRELOAD");
    if (list) {
        char *rest = alloca(strlen(list) + 1);
        remove_from_list(list, rest);
        if (*rest)
            setenv("LD_PRELOAD", rest, 1);
        else
            unsetenv("LD_PRELOAD");
    }
    unsetenv(SHIM_ENV_DIR);
    unsetenv(SHIM_ENV_ROOT);
    unsetenv(SHIM_ENV_PARENT);
    state.active = false;
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **env)
{
    (void)env;
    const char *dir = getenv(SHIM_ENV_DIR), *root = getenv(SHIM_ENV_ROOT);
    if (getenv(SHIM_ENV_PROBE)) _exit(PRELOAD_PROBE_STATUS);
    if (!dir || !root || argc < 1) return;
    int saved = errno;
    resolve();
    Dl_info self;
    if (!dladdr((void *)(uintptr_t)begin, &self) || !self.dli_fname) return;
    const char *parent = getenv(SHIM_ENV_PARENT);
    if ((size_t)snprintf(state.lib, sizeof state.lib, "%s", self.dli_fname) >= sizeof state.lib ||
        (size_t)snprintf(state.dir, sizeof state.dir, SHIM_ENV_DIR "=%s", dir) >=
            sizeof state.dir ||
        (size_t)snprintf(state.root, sizeof state.root, SHIM_ENV_ROOT "=%s", root) >=
            sizeof state.root)
        return;
    if (parent) snprintf(state.parent, sizeof state.parent, SHIM_ENV_PARENT "=%s", parent);
    const char *started = (const char *)getauxval(AT_EXECFN);
    if (!started) started = argv[0];
    const char *name = base_of(started);
    // stanch itself, used within the build: what it starts is its own.
    if (strcmp(name, "stanch") == 0) return;
    state.active = true;
    char file[PATH_BYTES];
    ToolKind kind = tool_kind(started);
    bool script = kind != TOOL_NONE && record_is_script(started);
    if (kind == TOOL_NONE && (kind = kind_by_file(name, file)) != TOOL_NONE) started = file;
    if (kind == TOOL_NONE || beside_mark(started)) { // a shim notes the call itself
        errno = saved;
        return;
    }
    char **args = script ? arguments_behind(argv, started) : argv + 1;
    char id[ID_BYTES] = "";
    note(started, parent, script, args, environ, id);
    if (!script) {
        leave_alone();
    } else if (args && id[0]) {
        setenv(SHIM_ENV_PARENT, id, 1);
        snprintf(state.parent, sizeof state.parent, SHIM_ENV_PARENT "=%s", id);
    }
    errno = saved;
}
