// Which program a file belongs to, and the command that analyses it.
//
// In this order: the database that the settings name; a compile_commands.json in the file's
// directory or above, also in a build directory there; the units of the last `stanch run`; the
// file by itself. A source that a database or the last run does not list is none of theirs. The search ends at the workspace folder, or where no folder holds the file at
// the root of the file system.
#include "lsp/lsp_int.h"

#include "base/file.h"

#include <sys/stat.h>

static const char *const build_dirs[] = {"", "build/", "builddir/", "out/", "_build/"};

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

// A directory and its parents up to `top` (null: the root). Null after the last.
static const char *parent(Arena *a, const char *dir, const char *top)
{
    if ((top && strcmp(dir, top) == 0) || strcmp(dir, "/") == 0) return NULL;
    return path_dir(a, dir);
}

// The child runs where `.stanch` is, so that it shares cache, specifications and suppressions with
// runs from the command line: at or above `dir`, within the workspace folder.
static const char *root_of(Arena *a, const char *dir, const char *top)
{
    if (!top) return dir;
    for (const char *d = dir; d; d = parent(a, d, top))
        if (file_is_dir(arena_printf(a, "%s/.stanch", d))) return d;
    return path_inside(top, dir) ? top : dir;
}

static bool is_source(const char *path)
{
    static const char *const ends[] = {"c", "cc", "cpp", "cxx", "C", "c++", "cp"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(path_extension(path), ends[i]) == 0) return true;
    return false;
}

// Whether the list, a database or the last run's, can be about a source: it has a word of the source's last
// name. Errs towards yes, where another directory has a file of that name. Headers are nobody's own.
static bool lists(const char *list, const char *file)
{
    if (!is_source(file)) return true;
    size_t len, n = strlen(path_base(file));
    char *text = file_read(list, 0, &len);
    bool has = !text; // who cannot read it says why
    for (const char *at = text; at && !has;) {
        at = memmem(at, len - (size_t)(at - text), path_base(file), n);
        if (!at) break;
        bool starts = at == text || at[-1] == '/' || at[-1] == '"' || (unsigned char)at[-1] < ' ';
        has = starts && (at + n == text + len || at[n] == '"' || (unsigned char)at[n] < ' ');
        at += n;
    }
    mem_free(text);
    return has;
}

static bool found(Project *p, ProjectKind kind, const char *root, const char *input,
                  const char *folder)
{
    *p = (Project){.kind = kind,
                   .root = mem_strdup(root),
                   .input = input ? mem_strdup(input) : NULL,
                   .folder = folder ? mem_strdup(folder) : NULL};
    return true;
}

static bool named_database(Project *p, Arena *a, const char *file, const char *folder, const Settings *s)
{
    if (!s->database || (!folder && *s->database != '/')) return false;
    const char *path = path_join(a, folder ? folder : "/", s->database);
    if (file_is_dir(path)) path = arena_printf(a, "%s/compile_commands.json", path);
    if (!is_file(path) || !lists(path, file)) return false;
    return found(p, PROJECT_DATABASE, folder ? folder : path_dir(a, path), path, folder);
}

static bool by_database(Project *p, Arena *a, const char *file, const char *folder)
{
    for (const char *d = path_dir(a, file); d; d = parent(a, d, folder))
        for (size_t i = 0; i < sizeof build_dirs / sizeof *build_dirs; i++) {
            const char *path = arena_printf(a, "%s/%scompile_commands.json", d, build_dirs[i]);
            if (is_file(path) && lists(path, file))
                return found(p, PROJECT_DATABASE, root_of(a, d, folder), path, folder);
        }
    return false;
}

static bool by_last_run(Project *p, Arena *a, const char *file, const char *folder)
{
    for (const char *d = path_dir(a, file); d; d = parent(a, d, folder)) {
        const char *last = arena_printf(a, "%s/.stanch/cache/v1/last", d);
        if (is_file(last) && lists(last, file)) return found(p, PROJECT_LAST, d, NULL, folder);
    }
    return false;
}

bool project_locate(Project *p, const char *file, const char *folder, const Settings *s)
{
    if (!is_file(file)) return false;
    Arena *a = arena_new("project");
    bool ok = named_database(p, a, file, folder, s) || by_database(p, a, file, folder) ||
              by_last_run(p, a, file, folder);
    if (!ok && is_source(file))
        ok = found(p, PROJECT_FILE, folder ? folder : path_dir(a, file), file, folder);
    arena_free(a);
    return ok;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool project_same(const Project *a, const Project *b)
{
    return a->kind == b->kind && same_text(a->root, b->root) && same_text(a->input, b->input);
}

void project_free(Project *p)
{
    mem_free(p->root);
    mem_free(p->input);
    mem_free(p->folder);
    mem_free(p->trouble);
    results_free(p->results);
    *p = (Project){0};
}

// ---- command lines ----

typedef VEC(const char *) Argv;

static void option(Argv *v, Arena *a, const char *name, const char *value)
{
    if (value) vec_push(v, arena_printf(a, "--%s=%s", name, value));
}

static void common_options(Argv *v, const Project *p, const Settings *s, Arena *a)
{
    vec_push(v, "--color=never");
    if (s->jobs) vec_push(v, arena_printf(a, "--jobs=%u", s->jobs));
    vec_each (i, &s->specs) option(v, a, "spec", s->specs.at[i]);
    // A file by itself leaves no traces beside it.
    if (p->kind == PROJECT_FILE)
        vec_push(v, "--no-cache");
    else
        option(v, a, "cache-dir", s->cache);
}

// What is analysed, at the end of the line. The path is absolute, so it is no option.
static const char **with_input(Argv *v, const Project *p, const Settings *s, Arena *a)
{
    if (p->kind == PROJECT_DATABASE) vec_push(v, arena_printf(a, "--database=%s", p->input));
    if (p->kind == PROJECT_FILE) {
        vec_push(v, p->input);
        vec_push(v, "--");
        vec_each (i, &s->flags) vec_push(v, s->flags.at[i]);
    }
    vec_push(v, NULL);
    vec_keep(v, a);
    return v->at;
}

const char **project_command(const Project *p, const Settings *s, const char *self, Arena *a)
{
    Argv v = {0};
    vec_push(&v, self);
    vec_push(&v, "check");
    vec_push(&v, "--format=json");
    vec_push(&v, "--no-record");
    common_options(&v, p, s, a);
    option(&v, a, "level", s->level);
    option(&v, a, "rules", s->rules);
    option(&v, a, "baseline", s->baseline);
    vec_each (i, &s->suppress) option(&v, a, "suppress", s->suppress.at[i]);
    return with_input(&v, p, s, a);
}

const char **project_ask(const Project *p, const Settings *s, const char *self, const char *path,
                         uint32_t line, Arena *a)
{
    Argv v = {0};
    vec_push(&v, self);
    vec_push(&v, "show");
    vec_push(&v, "blocks");
    vec_push(&v, arena_printf(a, "%s:%u", path, line));
    vec_push(&v, "--no-record");
    common_options(&v, p, s, a);
    return with_input(&v, p, s, a);
}
