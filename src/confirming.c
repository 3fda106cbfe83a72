// The commands that take the ids of findings: show witness, confirm.
#include "base/below.h"
#include "base/file.h"
#include "confirm/confirm.h"
#include "kept.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

// ---- which finding an id means

static bool fits(const char *fingerprint, const char *id)
{
    return strncmp(fingerprint, id, strlen(id)) == 0;
}

static bool is_id(const char *id)
{
    size_t n = strlen(id);
    return n >= 4 && n <= 32 && !id[strspn(id, "0123456789abcdef")];
}

// Null after a message.
static Finding *find(const Run *r, const Kept *k, const char *id)
{
    Finding *found = NULL;
    if (!is_id(id)) {
        diag_error(r->d, "'%s' is no id of a finding: four to 32 hexadecimal digits, as the reports show them", id);
        return NULL;
    }
    vec_each (i, &k->findings->all) {
        if (!fits(k->findings->all.at[i]->fingerprint, id)) continue;
        if (found && strcmp(found->fingerprint, k->findings->all.at[i]->fingerprint) != 0) {
            diag_error(r->d, "more than one finding begins with %s: give more digits", id);
            return NULL;
        }
        found = k->findings->all.at[i];
    }
    if (found) return found;
    vec_each (i, &k->others)
        if (fits(k->others.at[i].fingerprint, id)) {
            const char *why = k->others.at[i].why;
            diag_error(r->d, "finding %s has no witness%s%s", id, *why ? ": " : "", why);
            return NULL;
        }
    diag_error(r->d, "the last run has no finding %s", id);
    return NULL;
}

// ---- show witness

int stage_witness(const Options *o, Diag *d, const char *id)
{
    Run r;
    run_begin(&r, o, d);
    Kept k;
    int status = EXIT_UNUSABLE;
    if (!id) {
        diag_error(d, "which finding? stanch show witness ID");
    } else if (kept_load(&r, &k)) {
        const Finding *f = find(&r, &k, id);
        Sources *sources = sources_new();
        sources_restrict(sources, o->root);
        vec_each (i, &k.sources) sources_allow(sources, k.sources.at[i]);
        Out *out = !f ? NULL : o->output ? out_file(o->output) : out_fd(1);
        if (out) {
            if (!o->output) out_guard(out);
            report_witness(out, f, &(ReportOptions){.root = o->root, .sources = sources});
        }
        int error = out ? out_close(out) : f ? errno : 0;
        if (error && error != EPIPE)
            diag_error(d, "cannot write: %s", strerror(error));
        else if (f)
            status = EXIT_CLEAN;
        sources_free(sources);
        kept_free(&k);
    }
    run_end(&r);
    return status;
}

// ---- confirm

static int folder_below(const Run *r, const char *id)
{
    int root = below_trust(r->o->root);
    int dir = root >= 0 ? below_dir(root, arena_printf(r->arena, ".stanch/repro/%s", id), true) : -1;
    int error = errno;
    if (root >= 0) close(root);
    errno = error;
    return dir;
}

// The directory that the user names is trusted; with several findings each has one in it.
static int folder_named(const Run *r, const char *id, bool several)
{
    const char *path = path_join(r->arena, r->o->root, r->o->out_dir);
    int failed = file_make_dirs(path);
    if (failed) {
        errno = failed;
        return -1;
    }
    int dir = below_trust(path);
    if (dir < 0 || !several) return dir;
    int inner = below_dir(dir, id, true), error = errno;
    close(dir);
    errno = error;
    return inner;
}

static bool write_folder(const Run *r, const Finding *f, const Confirmation *c, bool several)
{
    const char *id = finding_id(r->arena, f);
    int dir = r->o->out_dir ? folder_named(r, id, several) : folder_below(r, id);
    int error = dir < 0 ? errno : 0;
    const char *files[][2] = {{"repro.c", c->program}, {"repro.h", c->program ? confirm_header() : NULL},
                              {"Makefile", c->makefile}, {"output.txt", c->output}};
    for (int i = 0; i < 4 && !error; i++)
        if (files[i][1]) error = below_write(dir, files[i][0], files[i][1], strlen(files[i][1]));
    if (dir >= 0) close(dir);
    if (error) diag_error(r->d, "the program for %s cannot be written: %s", id, below_why(error));
    return !error;
}

static bool confirm_one(Run *r, const ConfirmTools *t, const Finding *f, Out *out, bool several)
{
    Arena *a = arena_new("confirm");
    Confirmation c = confirm_finding(a, t, f);
    bool ok = !c.program || write_folder(r, f, &c, several);
    Pos at = pos_known(f->lost) ? f->lost : f->alloc;
    const char *line = arena_printf(a, "%s  %s%s%s  %s:%u: %s [%s]\n", finding_id(a, f),
                                    confirmed_word(c.verdict), *c.why ? ": " : "", c.why,
                                    at.path ? path_below(r->o->root, at.path) : "?", at.line,
                                    finding_message(a, f), rule_info(f->rule)->word);
    out_text(out, line);
    if (c.program && !r->o->quiet)
        out_printf(out, "          %s%s%s/repro.c\n", r->o->out_dir ? r->o->out_dir : ".stanch/repro",
                   r->o->out_dir && !several ? "" : "/",
                   r->o->out_dir && !several ? "" : finding_id(a, f));
    if (r->o->verbose && c.output) out_text(out, c.output);
    kept_confirm(r, f, c.verdict, c.why);
    history_confirm(arena_printf(a, "%s/.stanch", r->o->root), f->fingerprint, c.verdict, c.why,
                    cache_now() / 1000000000, r->d);
    arena_free(a);
    return ok;
}

int stage_confirm(const Options *o, Diag *d, const char *const *ids, uint32_t count)
{
    Run r;
    run_begin(&r, o, d);
    Kept k;
    bool loaded = kept_load(&r, &k), ok = loaded;
    VEC(Finding *) some = {0};
    for (uint32_t i = 0; ok && i < count; i++) {
        Finding *f = find(&r, &k, ids[i]);
        if (f) vec_push(&some, f);
        ok = f != NULL;
    }
    // Without ids: all that is reported.
    if (loaded && !count)
        vec_each (i, &k.findings->all)
            if (finding_level(k.findings->all.at[i]) == LEVEL_SURE) vec_push(&some, k.findings->all.at[i]);
    ConfirmTools tools = {.root = o->root};
    if (ok) {
        tools.jobs = k.jobs.at;
        tools.job_count = k.jobs.len;
        ok = confirm_tools(r.arena, &tools, d);
    }
    Out *out = ok ? out_fd(1) : NULL;
    if (out) out_guard(out);
    if (out && !some.len) out_text(out, "no finding of the last run was witnessed\n");
    bool written = true;
    for (uint32_t i = 0; out && i < some.len; i++)
        written = confirm_one(&r, &tools, some.at[i], out, some.len > 1) && written;
    int error = out ? out_close(out) : 0;
    vec_free(&some);
    if (loaded) kept_free(&k);
    run_end(&r);
    return ok && written && (!error || error == EPIPE) ? EXIT_CLEAN : EXIT_UNUSABLE;
}
