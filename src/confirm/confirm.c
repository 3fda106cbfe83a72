#include "base/below.h"
#include "base/file.h"
#include "confirm/confirm_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char header[] =
#include "repro.h.inc"
    ;

const char *confirm_header(void)
{
    return header;
}

// ---- the tools

static const char *in_path(Arena *a, const char *name)
{
    const char *dirs = getenv("PATH");
    for (const char *s = dirs ? dirs : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        const char *path = arena_printf(a, "%.*s/%s", (int)n, s, name);
        // An empty or relative entry means the working directory, which may be hostile.
        if (s[0] == '/' && access(path, X_OK) == 0 && !file_is_dir(path)) return path;
        s += n + (s[n] == ':');
    }
    return NULL;
}

// A tool of the same LLVM as clang: beside it, by the name with or without the version.
static const char *beside_clang(Arena *a, const char *clang, const char *name)
{
    const char *versioned = arena_printf(a, "%s-19", name);
    char *real = realpath(clang, NULL);
    const char *dirs[] = {path_dir(a, clang), path_dir(a, real ? real : clang)};
    free(real);
    for (int i = 0; i < 2; i++) {
        const char *both[] = {path_join(a, dirs[i], versioned), path_join(a, dirs[i], name)};
        for (int k = 0; k < 2; k++)
            if (access(both[k], X_OK) == 0) return both[k];
    }
    const char *found = in_path(a, versioned);
    return found ? found : in_path(a, name);
}

bool confirm_tools(Arena *a, ConfirmTools *t, Diag *d)
{
    t->clang = capture_find_clang(a, d);
    if (!t->clang) return false;
    t->objcopy = beside_clang(a, t->clang, "llvm-objcopy");
    t->symbolizer = beside_clang(a, t->clang, "llvm-symbolizer");
    if (!t->objcopy || !t->symbolizer) {
        diag_error(d, "%s is not there; it comes with the package llvm-19",
                   t->objcopy ? "llvm-symbolizer-19" : "llvm-objcopy-19");
        return false;
    }
    t->bwrap = in_path(a, "bwrap");
    if (t->bwrap) {
        const char *argv[] = {t->bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
                              "--unshare-all", "--die-with-parent", "--", "/bin/true", NULL};
        Ran ran = run_plain(a, "/", argv);
        if (!ran.started || !WIFEXITED(ran.status) || WEXITSTATUS(ran.status) != 0) t->bwrap = NULL;
    }
    return true;
}

// ---- one finding

static bool write_file(const char *dir, const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", dir, name);
    FILE *f = fopen(path, "wx");
    bool ok = f && fputs(text, f) >= 0;
    if (f && fclose(f) != 0) ok = false;
    mem_free(path);
    return ok;
}

static const char *first_line(Arena *a, const char *text)
{
    const char *error = strstr(text, "error: ");
    if (error) text = error + 7;
    size_t n = strcspn(text, "\n");
    return arena_strndup(a, text, n < 200 ? n : 200);
}

static bool worked(const Ran *ran)
{
    return ran->started && !ran->timed_out && WIFEXITED(ran->status) && WEXITSTATUS(ran->status) == 0;
}

static void build_and_run(Arena *a, const ConfirmTools *t, Repro *r, const Finding *f, const char *dir,
                          Confirmation *c)
{
    const char *inside = arena_printf(a, "%s/", dir);
    int rules = contain_prepare(a, t->jobs, t->job_count, t->root, dir, t->clang);
    vec_each (i, &r->units) {
        const char *object = arena_printf(a, "%sunit%u.o", inside, i);
        Ran ran = run_tool(a, r->units.at[i]->directory, repro_compile(r, t, i, object), rules);
        if (!worked(&ran)) {
            c->why = arena_printf(a, "%s does not compile with AddressSanitizer: %s",
                                  path_base(r->units.at[i]->source), first_line(a, ran.text));
            goto out;
        }
        ran = run_tool(a, dir, repro_globalize(r, t, object), -1);
        if (!worked(&ran)) {
            c->why = arena_printf(a, "llvm-objcopy failed: %s", first_line(a, ran.text));
            goto out;
        }
    }
    const char **steps[] = {repro_compile_program(r, t, inside), repro_link(r, t, inside)};
    for (int i = 0; i < 2; i++) {
        Ran ran = run_tool(a, dir, steps[i], -1);
        if (!worked(&ran)) {
            c->why = arena_printf(a, "the program does not %s: %s", i ? "link" : "compile",
                                  first_line(a, ran.text));
            goto out;
        }
    }
    Ran ran = run_program(a, t, dir);
    c->output = ran.text;
    judge(a, f, &ran, c);
out:
    if (rules >= 0) close(rules);
}

Confirmation confirm_finding(Arena *a, const ConfirmTools *t, const Finding *f)
{
    Confirmation c = {.verdict = CONFIRM_COULD_NOT, .why = ""};
    Repro r = {.arena = a, .w = f->witness};
    if (!f->witness) {
        c.why = "no replay has shown it";
        return c;
    }
    repro_plan(&r, t);
    if (!r.why) {
        c.program = repro_program(&r, f, t);
        c.makefile = repro_makefile(&r, t);
    }
    c.why = r.why ? r.why : "";
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(a, "%s/stanch-confirm-XXXXXX", tmp && tmp[0] == '/' ? tmp : "/tmp");
    if (!r.why && !mkdtemp(dir)) {
        c.why = arena_printf(a, "no directory to build in: %s", strerror(errno));
    } else if (!r.why) {
        if (write_file(dir, "repro.c", c.program) && write_file(dir, "repro.h", header))
            build_and_run(a, t, &r, f, dir, &c);
        else
            c.why = "the program cannot be written";
        int parent = below_trust(path_dir(a, dir));
        if (parent >= 0) {
            below_remove(parent, path_base(dir));
            close(parent);
        }
    }
    vec_free(&r.units);
    vec_free(&r.globalized);
    vec_free(&r.wrapped);
    return c;
}
