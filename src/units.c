#include "units.h"

#include "base/child.h"
#include "base/file.h"
#include "base/map.h"
#include "lower/lower.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Processor seconds for lowering one unit; clang's own time is limited by capture.
enum { LOWER_SECONDS = 600 };

typedef struct {
    Hash128 recipe;
    pid_t pid; // running child; 0 none
    int64_t started;
    char *stem;      // scratch files: STEM.bc .d .unit .txt
    char *unit_path; // made, and not in the cache
    U32s files;      // that it was made from: Names in Making.paths
    int status;      // of the child, as waitpid gives it
} Task;

typedef struct {
    const Options *o;
    Diag *d;
    Arena *a;
    Cache *cache;
    const Capture *capture;
    MadeUnits *made;
    Words *files;
    Names *paths;
    Map seen_files; // Name in paths
    const char *clang;
    const char *scratch;
    bool own_scratch; // not the cache's
    int rules;        // of containment; -1 none
    typeof(lower_bitcode) *lower;
    Task *tasks; // by job
    U32s todo;
    uint32_t running, finished;
    int interrupted; // signal
    bool show_progress;
    int64_t last_progress;
} Making;

// ---- the child ----

static bool same_file(const char *x, const char *y)
{
    struct stat left, right;
    return stat(x, &left) == 0 && stat(y, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

// Marks the files that clang did not read: those that a #line directive made up.
static void mark_foreign(Arena *a, Unit *u, const char *deps, const char *directory)
{
    CaptureDeps read = {0};
    capture_read_deps(a, deps, directory, &read);
    Map known = {0}; // by Name of the unit
    for (uint32_t i = 0; i < read.count; i++)
        map_set(&known, name_find(u->names, read.paths[i]).id, 1);
    for (uint32_t f = 1; f < u->files.len; f++) {
        Name path = u->files.at[f].path;
        bool found = map_get(&known, path.id) != NULL;
        for (uint32_t i = 0; !found && i < read.count; i++)
            found = strcmp(path_base(read.paths[i]), path_base(name_text(u->names, path))) == 0 &&
                    same_file(read.paths[i], name_text(u->names, path));
        u->files.at[f].foreign = !found;
    }
    map_free(&known);
}

static _Noreturn void child(const Making *m, uint32_t job)
{
    const CaptureJob *j = &m->capture->jobs.at[job];
    const char *stem = m->tasks[job].stem;
    Arena *a = arena_new("child");
    char *bitcode = arena_printf(a, "%s.bc", stem);
    int status = 1;
    CaptureEmit e = capture_emit(a, m->clang, j, bitcode, arena_printf(a, "%s.d", stem));
    if (e.status != CAPTURE_EMITTED) {
        static const char *const what[] = {"", "clang cannot compile it", "clang crashed",
                                           "clang took too long", "clang could not be started"};
        fprintf(stderr, "%s\n%s", what[e.status], e.messages ? e.messages : "");
        if (e.messages && strstr(e.messages, "ermission denied"))
            fprintf(stderr, "(clang is kept from the home directory but for the project's tree, and "
                            "from /etc, /root, /run and /var; see doc/security.md)\n");
    } else {
        struct rlimit cpu = {LOWER_SECONDS, LOWER_SECONDS + 5};
        setrlimit(RLIMIT_CPU, &cpu);
        size_t len;
        char *bytes = file_read(bitcode, 0, &len);
        char *why = NULL;
        LowerOptions options = {.language = j->language == CAPTURE_CXX ? "c++" : "c",
                                .exits = true};
        Unit *u = bytes ? m->lower(bytes, len, j->source, &options, &why) : NULL;
        unlink(bitcode);
        if (u) mark_foreign(a, u, arena_printf(a, "%s.d", stem), j->directory);
        Out *out = u ? out_file(arena_printf(a, "%s.unit", stem)) : NULL;
        if (out) unit_write(out, u);
        int error = out ? out_close(out) : errno;
        if (u && error == 0)
            status = 0;
        else
            fprintf(stderr, "its bitcode cannot be lowered\n%s\n",
                    why ? why : strerror(error ? error : EIO));
    }
    fflush(stderr);
    _exit(status); // no destructors: what is in memory is the parent's
}

static bool start(Making *m, uint32_t job)
{
    Task *t = &m->tasks[job];
    t->stem = arena_printf(m->a, "%s/%u", m->scratch, job);
    t->started = cache_now();
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        diag_error(m->d, "cannot start a process: %s", strerror(errno));
        return false;
    }
    if (pid == 0) {
        setpgid(0, 0); // so that clang can be ended with its parent
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        struct rlimit core = {0, 0};
        setrlimit(RLIMIT_CORE, &core);
        char *said = mem_printf("%s.txt", t->stem);
        int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int null = open("/dev/null", O_RDWR);
        if (fd < 0 || null < 0) _exit(1);
        dup2(null, 0);
        dup2(null, 1);
        dup2(fd, 2);
        contain_enter(m->rules);
        child(m, job);
    }
    setpgid(pid, pid);
    t->pid = pid;
    m->running++;
    return true;
}

// ---- the parent ----

static void progress(Making *m, const char *source, bool last)
{
    if (!m->show_progress) return;
    int64_t now = cache_now();
    if (!last && now - m->last_progress < 50000000) return;
    m->last_progress = now;
    fputs("\r\033[K", stderr);
    if (!last) {
        // A line that wraps could not be redrawn.
        struct winsize size = {0};
        int width = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
        Out *o = out_memory();
        const char *path = path_below(m->o->root, source);
        out_printf(o, "[%u/%u] ", m->finished, m->capture->jobs.len);
        out_plain(o, path, strlen(path));
        size_t len;
        const char *line = out_content(o, &len);
        if (len > (size_t)width) {
            len = (size_t)width;
            while (len && ((unsigned char)line[len] & 0xc0) == 0x80) len--;
        }
        fwrite(line, 1, len, stderr);
        out_close(o);
    }
    fflush(stderr);
}

static void add_file(Making *m, uint32_t path)
{
    bool fresh;
    map_at(&m->seen_files, path, 1, &fresh);
    if (fresh) vec_push(m->files, arena_strdup(m->a, name_text(m->paths, (Name){path})));
}

static void remove_side_files(const Task *t, bool unit_too)
{
    static const char *const ends[] = {"bc", "d", "txt", "unit"};
    for (int i = 0; i < (unit_too ? 4 : 3); i++) {
        char *path = mem_printf("%s.%s", t->stem, ends[i]);
        unlink(path);
        mem_free(path);
    }
}

// Whether a file of some size can be written there: 0 or an errno.
static int try_writing(const char *dir)
{
    char *path = mem_printf("%s/try", dir), *bytes = mem_alloc(1 << 16);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    int error = fd < 0 ? errno : 0;
    ssize_t n = fd < 0 ? 0 : write(fd, bytes, 1 << 16);
    if (!error && n != 1 << 16) error = n < 0 ? errno : ENOSPC;
    if (fd >= 0) close(fd);
    unlink(path);
    mem_free(path);
    mem_free(bytes);
    return error;
}

// The first line is the reason; the rest is what clang or LLVM said.
static void failed(Making *m, uint32_t job)
{
    MadeUnit *made = &m->made->at[job];
    const Task *t = &m->tasks[job];
    int status = t->status;
    char *said_path = mem_printf("%s.txt", t->stem);
    char *said = file_read(said_path, 1 << 20, NULL);
    mem_free(said_path);
    const char *text = said ? said : "", *rest = strchr(text, '\n');
    if (WIFSIGNALED(status)) {
        int sig = WTERMSIG(status);
        made->reason = sig == SIGXCPU ? "lowering took too long"
                                      : arena_printf(m->a, "lowering ended with signal %d (%s)",
                                                     sig, strsignal(sig));
        rest = text;
    } else {
        int error = try_writing(m->scratch);
        made->reason =
            error  ? arena_printf(m->a, "cannot write to %s: %s", m->scratch, strerror(error))
            : rest ? arena_strndup(m->a, text, (size_t)(rest - text))
                   : "lowering failed";
    }
    diag_warn(m->d, "%s: %s", path_below(m->o->root, made->source), made->reason);
    if (rest && !m->d->quiet) {
        while (*rest == '\n') rest++;
        diag_relay(rest, strlen(rest));
    }
    mem_free(said);
}

// Whether the job failed because the disk of the scratch directory had become full. Clang and the
// child may have had no room for saying so either; errs towards trying again.
static bool disk_was_full(Making *m, uint32_t job)
{
    const Task *t = &m->tasks[job];
    if (m->own_scratch || t->status == 0) return false;
    char *path = mem_printf("%s.txt", t->stem);
    size_t len = 0;
    char *said = file_read(path, 1 << 20, &len);
    bool silent = !WIFSIGNALED(t->status) && !len;
    bool full = try_writing(m->scratch) != 0 || silent ||
                (said && (strstr(said, strerror(ENOSPC)) || strstr(said, strerror(EDQUOT))));
    mem_free(said);
    mem_free(path);
    return full;
}

// A child has ended well: its unit goes into the cache, or stays where it is.
static Hash128 content_of(const char *path)
{
    size_t len = 0;
    char *bytes = file_read(path, (size_t)1 << 31, &len);
    Hash128 h = hash128_bytes(bytes ? bytes : "", len);
    mem_free(bytes);
    return h;
}

static void store(Making *m, uint32_t job)
{
    Task *t = &m->tasks[job];
    MadeUnit *made = &m->made->at[job];
    char *deps = mem_printf("%s.d", t->stem);
    char *unit = arena_printf(m->a, "%s.unit", t->stem);
    CaptureDeps files = {0};
    Arena *a = arena_new("deps");
    bool known = capture_read_deps(a, deps, m->capture->jobs.at[job].directory, &files);
    for (uint32_t i = 0; i < files.count; i++)
        vec_push(&t->files, name_of(m->paths, files.paths[i]).id);
    t->unit_path = unit;
    // A unit of which a file changed meanwhile (a header that the build writes) answers no later
    // run, but `show` and `check` of this one want it: it is under its own content.
    bool lasts = known && cache_record(m->cache, t->recipe, files.paths, files.count, t->started,
                                       &made->object);
    if (!lasts && cache_scratch(m->cache)) made->object = content_of(unit);
    made->cached = cache_put_file(m->cache, made->object, unit);
    arena_free(a);
    mem_free(deps);
}

// A child has ended. What it made is stored at once, so that an interruption keeps it; messages
// wait until they can come in job order.
static void collect(Making *m, pid_t pid, int status)
{
    vec_each (i, &m->todo) {
        Task *t = &m->tasks[m->todo.at[i]];
        if (t->pid != pid) continue;
        t->pid = 0;
        m->running--;
        m->finished++;
        t->status = status;
        if (status == 0) store(m, m->todo.at[i]);
        return;
    }
}

static void stop_children(Making *m)
{
    vec_each (i, &m->todo) {
        Task *t = &m->tasks[m->todo.at[i]];
        if (t->pid <= 0) continue;
        kill(-t->pid, SIGKILL);
        waitpid(t->pid, NULL, 0);
        t->pid = 0;
    }
    m->running = 0;
}

// Signals are waited for, not handled: no state has to be shared with a handler. Jobs that a full disk
// made fail are the new list of things to do, the others are told.
static bool run_children(Making *m)
{
    sigset_t wait_for, before;
    signals_of_end(&wait_for);
    sigaddset(&wait_for, SIGCHLD);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &wait_for, &before);
    uint32_t next = 0;
    bool ok = true;
    while (ok && (next < m->todo.len || m->running)) {
        while (ok && next < m->todo.len && m->running < m->o->jobs) {
            uint32_t job = m->todo.at[next++];
            ok = start(m, job);
            progress(m, m->capture->jobs.at[job].source, false);
        }
        if (!ok) break;
        int sig = sigwaitinfo(&wait_for, NULL);
        if (sig > 0 && sig != SIGCHLD) {
            m->interrupted = sig;
            break;
        }
        int status;
        for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) collect(m, pid, status);
    }
    stop_children(m);
    progress(m, NULL, true);
    uint32_t again = 0;
    vec_each (i, &m->todo) {
        uint32_t job = m->todo.at[i];
        bool bad = ok && !m->interrupted && m->tasks[job].status != 0;
        bool full = bad && disk_was_full(m, job);
        if (bad && !full) failed(m, job);
        if (m->tasks[job].stem) remove_side_files(&m->tasks[job], full);
        if (full) m->todo.at[again++] = job;
    }
    m->todo.len = again;
    m->finished -= again;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}

// ---- before and after ----

// On another machine the same tool has other times.
void key_of_tool(CacheKey *k, const char *path, bool by_content)
{
    struct stat st = {0};
    if (!path || stat(path, &st) != 0) {
        cache_key_text(k, "");
        return;
    }
    if (by_content) {
        Hash128 content = content_of(path);
        cache_key_bytes(k, &content, sizeof content);
        return;
    }
    cache_key_text(k, path);
    int64_t words[3] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
    cache_key_bytes(k, words, sizeof words);
}

// Everything that decides what is made of the files: who makes it, and the whole command.
static void find_recipes(Making *m)
{
    CacheKey tools = {0};
    cache_key_text(&tools, STANCH_VERSION);
    bool shared = m->o->store != NULL;
    key_of_tool(&tools, m->o->self, shared);
    key_of_tool(&tools, m->o->plugin, shared);
    char *real = realpath(m->clang, NULL);
    key_of_tool(&tools, real ? real : m->clang, shared);
    free(real);
    Hash128 tools_hash = cache_key_end(&tools);
    vec_each (i, &m->capture->jobs) {
        const CaptureJob *job = &m->capture->jobs.at[i];
        CacheKey k = {0};
        cache_key_bytes(&k, &tools_hash, sizeof tools_hash);
        cache_key_text(&k, job->directory);
        cache_key_text(&k, job->source);
        Arena *a = arena_new("key");
        const char **argv = capture_clang_argv(a, m->clang, job, "unit.bc", "unit.d");
        for (; *argv; argv++) cache_key_text(&k, *argv);
        arena_free(a);
        m->tasks[i].recipe = cache_key_end(&k);
    }
}

static void ask_cache(Making *m)
{
    CachePaths files = {0};
    vec_each (i, &m->capture->jobs) {
        MadeUnit *made = &m->made->at[i];
        Task *t = &m->tasks[i];
        vec_clear(&files);
        made->cached = cache_find(m->cache, t->recipe, &made->object, &files);
        vec_each (k, &files) vec_push(&t->files, name_of(m->paths, files.at[k]).id);
        if (made->cached)
            m->finished++;
        else
            vec_push(&m->todo, i);
    }
    vec_free(&files);
}

static bool load_module(Making *m)
{
    if (m->lower) return true;
    if (!m->o->plugin) {
        diag_error(m->d, "stanch-lower.so is neither beside the program nor in ../lib/stanch");
        return false;
    }
    void *module = dlopen(m->o->plugin, RTLD_NOW | RTLD_LOCAL);
    if (module) m->lower = (typeof(m->lower))dlsym(module, "lower_bitcode");
    if (!m->lower) diag_error(m->d, "cannot load the lowering module: %s", dlerror());
    return m->lower != NULL;
}

static bool own_scratch(Making *m, int error)
{
    if (error)
        diag_note(m->d, "scratch files go to the temporary directory: %s: %s", m->scratch,
                  strerror(error));
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(m->a, "%s/stanch.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        diag_error(m->d, "cannot make a scratch directory: %s: %s", dir, strerror(errno));
        return false;
    }
    m->scratch = dir;
    m->own_scratch = true;
    return true;
}

static bool find_scratch(Making *m)
{
    if (m->scratch) return true;
    m->scratch = cache_scratch(m->cache);
    int error = m->scratch ? try_writing(m->scratch) : 0;
    return (m->scratch && !error) || own_scratch(m, error);
}

static void remove_scratch(const char *path)
{
    DIR *d = opendir(path);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    rmdir(path);
}

// Reads all units that are there. What the cache gave and is damaged, or has gone meanwhile, is to
// be made: it becomes the new list of things to do.
static void load_units(Making *m)
{
    vec_clear(&m->todo);
    vec_each (i, m->made) {
        MadeUnit *made = &m->made->at[i];
        Task *t = &m->tasks[i];
        if (made->unit || made->reason) continue;
        size_t len = 0;
        char *bytes = made->cached ? cache_get(m->cache, made->object, &len)
                                   : file_read(t->unit_path, 0, &len);
        const char *why = bytes ? NULL : strerror(errno);
        if (bytes) made->unit = unit_read(bytes, len, &why);
        mem_free(bytes);
        if (!made->cached) unlink(t->unit_path);
        if (made->unit) continue;
        if (made->cached && !t->unit_path) {
            if (m->o->verbose)
                diag_note(m->d, "a unit in the cache cannot be used and is made anew: %s: %s",
                          path_below(m->o->root, made->source), why);
            cache_drop(m->cache, made->object);
            made->cached = false;
            vec_clear(&t->files);
            m->finished--;
            vec_push(&m->todo, i);
        } else {
            made->reason = arena_printf(m->a, "its unit cannot be read: %s", why);
            diag_warn(m->d, "%s: %s", path_below(m->o->root, made->source), made->reason);
        }
    }
}

static void keep_files(Making *m, uint32_t job)
{
    const U32s *from = &m->tasks[job].files;
    MadeUnit *made = &m->made->at[job];
    made->files = arena_array_of(m->a, const char *, from->len);
    made->file_count = from->len;
    vec_each (k, from)
        made->files[k] = arena_strdup(m->a, name_text(m->paths, (Name){from->at[k]}));
}

static void contain(Making *m, bool say)
{
    if (m->rules >= 0) close(m->rules);
    m->rules = contain_prepare(m->a, m->capture->jobs.at, m->capture->jobs.len, m->o->root,
                               m->scratch, m->clang);
    if (say && (m->o->verbose || m->o->stats))
        diag_note(m->d, "clang and lowering are contained: %s", contain_words(m->rules));
}

// All that is to be done; what did not fit on the disk once more, in the temporary directory.
static bool make_all(Making *m, bool first)
{
    if (!load_module(m) || !find_scratch(m)) return false;
    if (first) contain(m, true);
    if (!run_children(m)) return false;
    if (!m->todo.len || m->interrupted) return true;
    if (!own_scratch(m, ENOSPC)) return false;
    contain(m, false);
    return run_children(m);
}

bool units_make(const Options *o, Diag *d, Arena *a, Cache *cache, const Capture *capture,
                MadeUnits *made, Words *files)
{
    Making m = {.o = o,
                .d = d,
                .a = a,
                .cache = cache,
                .capture = capture,
                .made = made,
                .files = files,
                .rules = -1,
                .paths = names_new()};
    m.tasks = arena_array_of(a, Task, capture->jobs.len);
    m.show_progress = !o->quiet && isatty(2);
    vec_each (i, &capture->jobs) vec_push(made, ((MadeUnit){.source = capture->jobs.at[i].source}));
    m.clang = capture_find_clang(a, d);
    bool ok = m.clang != NULL;
    if (ok) {
        find_recipes(&m);
        ask_cache(&m);
    }
    // From the first scratch file to the last: run_children asks for the signals that come.
    sigset_t before;
    signals_hold(&before);
    // Units are loaded when all children are done: a process that has not grown forks cheaply.
    // A second round makes what the cache promised and could not give.
    for (int round = 0; ok && round < 2 && !m.interrupted; round++) {
        if (m.todo.len) ok = make_all(&m, round == 0);
        if (!ok || m.interrupted) break;
        load_units(&m);
        if (!m.todo.len) break;
    }
    vec_each (i, &capture->jobs) {
        add_file(&m, name_of(m.paths, capture->jobs.at[i].source).id);
        vec_each (k, &m.tasks[i].files) add_file(&m, m.tasks[i].files.at[k]);
        if (o->since) keep_files(&m, i);
        vec_free(&m.tasks[i].files);
    }
    if (m.own_scratch) remove_scratch(m.scratch);
    cache_scratch_done(cache);
    if (m.rules >= 0) close(m.rules);
    vec_free(&m.todo);
    map_free(&m.seen_files);
    names_free(m.paths);
    if (m.interrupted) {
        // As if the signal had come now, so that whoever started us sees the true cause of the end.
        cache_close(cache);
        signal(m.interrupted, SIG_DFL);
        raise(m.interrupted);
    }
    signals_release(&before);
    return ok;
}

void units_free(MadeUnits *made)
{
    vec_each (i, made) unit_free(made->at[i].unit);
    vec_free(made);
}

Unit *unit_load(const char *path, Hash128 *content, Diag *d)
{
    size_t len;
    char *bytes = file_read(path, (size_t)1 << 31, &len);
    if (!bytes) {
        diag_error(d, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    Unit *u = NULL;
    *content = hash128_bytes(bytes, len);
    if (strcmp(path_extension(path), "u") == 0) {
        u = unit_parse(bytes, path, d);
    } else {
        const char *why = NULL;
        u = unit_read(bytes, len, &why);
        if (!u) diag_error(d, "%s is not a unit: %s", path, why);
    }
    mem_free(bytes);
    return u;
}

void units_below(Arena *a, Diag *d, const char *directory, Words *out)
{
    char *paths[] = {arena_strdup(a, directory), NULL};
    uint32_t before = out->len;
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *e; tree && (e = fts_read(tree));) {
        if (e->fts_info == FTS_D && strcmp(e->fts_name, ".stanch") == 0) fts_set(tree, e, FTS_SKIP);
        if (e->fts_info == FTS_F && strcmp(path_extension(e->fts_path), "unit") == 0)
            vec_push(out, arena_strdup(a, e->fts_path));
    }
    if (tree) fts_close(tree);
    if (out->len == before) diag_error(d, "%s: no units below it", directory);
}
