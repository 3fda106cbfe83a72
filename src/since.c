#include "since.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "git.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// Old texts that are written out; a change of more files than this is another program.
enum { TEXTS_MAX = 20000 };

struct Since {
    Arena *a;
    GitDiff diff;
    const char *scratch;
    const char *baseline;
    Map change_of; // hash of the path -> index + 1
    Map related;   // hash of a function's name -> 1
    uint32_t texts;
    bool any; // some unit reads a changed file
};

static uint64_t key_of(const char *text)
{
    return hash_bytes(text, strlen(text), 0);
}

static const GitChange *change_of(const Since *s, const char *path)
{
    const uint64_t *at = map_get(&s->change_of, key_of(path));
    return at ? &s->diff.changes.at[*at - 1] : NULL;
}

// ---- the old text ----

static const char *text_path(const Since *s, uint32_t change)
{
    return arena_printf(s->a, "%s/%u.txt", s->scratch, change);
}

// Writes the old texts and the overlay that puts them into the places of the new ones. Null after
// a message.
static const char *write_overlay(Since *s, Diag *d)
{
    const char *path = arena_printf(s->a, "%s/overlay.json", s->scratch);
    Out *o = out_file(path);
    if (!o) {
        diag_error(d, "cannot write %s: %s", path, strerror(errno));
        return NULL;
    }
    // Names stay those of the files that are replaced, in messages and in debug information.
    out_text(o, "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [");
    bool first = true;
    vec_each (i, &s->diff.changes) {
        const GitChange *c = &s->diff.changes.at[i];
        if (!c->before || s->texts >= TEXTS_MAX) continue;
        size_t len;
        char *text = git_show(s->a, &s->diff, c->path, &len);
        if (!text) continue; // a submodule, or too large to be a source
        Out *file = out_file(text_path(s, i));
        if (file) out_bytes(file, text, len);
        mem_free(text);
        if (!file || out_close(file) != 0) continue;
        s->texts++;
        out_printf(o, "%s\n{\"name\": ", first ? "" : ",");
        out_json(o, path_dir(s->a, c->path));
        out_text(o, ", \"type\": \"directory\", \"contents\": [{\"name\": ");
        out_json(o, path_base(c->path));
        out_text(o, ", \"type\": \"file\", \"external-contents\": ");
        out_json(o, text_path(s, i));
        out_text(o, "}]}");
        first = false;
    }
    out_text(o, "\n]}\n");
    int error = out_close(o);
    if (error) diag_error(d, "cannot write %s: %s", path, strerror(error));
    return error ? NULL : path;
}

// ---- the old program ----

static bool reads_change(const Since *s, const MadeUnit *m)
{
    for (uint32_t i = 0; i < m->file_count; i++)
        if (change_of(s, m->files[i])) return true;
    return change_of(s, m->source) != NULL;
}

// The jobs whose units differ, with the overlay; *which gets their places among all jobs.
static void old_jobs(const Since *s, const Run *r, const char *overlay, Capture *out, U32s *which)
{
    vec_each (i, &r->capture.jobs) {
        if (!reads_change(s, &r->made.at[i])) continue;
        CaptureJob job = r->capture.jobs.at[i];
        const GitChange *own = change_of(s, job.source);
        if (own && !own->before) continue; // a new file
        const char **flags = arena_array_of(s->a, const char *, job.flag_count + 3);
        memcpy(flags, job.flags, job.flag_count * sizeof *flags);
        flags[job.flag_count] = "-ivfsoverlay";
        flags[job.flag_count + 1] = overlay;
        job.flags = flags;
        job.flag_count += 2;
        vec_push(&out->jobs, job);
        vec_push(which, i);
    }
}

// Puts the old units in the places of the new ones that read a change.
static void old_units(const Since *s, const Run *r, const MadeUnits *made, const U32s *which, Run *old)
{
    vec_each (i, &r->made) vec_push(&old->made, r->made.at[i]);
    vec_each (i, &old->made) {
        if (!reads_change(s, &r->made.at[i])) continue;
        old->made.at[i].unit = NULL;
        old->made.at[i].cached = false;
    }
    vec_each (i, which) old->made.at[which->at[i]].unit = made->at[i].unit;
    vec_each (i, &r->owned) {
        vec_push(&old->units, r->owned.at[i]);
        vec_push(&old->owned_content, r->owned_content.at[i]);
        vec_push(&old->sources, r->sources.at[i]);
    }
    vec_each (i, &old->made) {
        if (!old->made.at[i].unit) continue;
        old->made.at[i].number = old->units.len;
        vec_push(&old->units, old->made.at[i].unit);
        vec_push(&old->sources, old->made.at[i].source);
    }
}

static bool write_baseline(Since *s, Run *old)
{
    Sources *sources = sources_new();
    vec_each (i, &s->diff.changes)
        if (s->diff.changes.at[i].before && file_exists(text_path(s, i)))
            source_give(sources, s->diff.changes.at[i].path, text_path(s, i));
    // What the same command would have shown of the old program is not new. Something that was not shown,
    // for it was doubtful or happened once, and is shown now, the change has brought.
    CheckOptions shown = {.level = old->o->check.level, .impact = old->o->check.impact,
                          .each = true, .root = old->o->root};
    bool ok = check_run(old->findings, &shown, sources, old->d);
    sources_free(sources);
    s->baseline = arena_printf(s->a, "%s/baseline.json", s->scratch);
    int error = ok ? baseline_write(old->findings, old->o->root, s->baseline) : 0;
    if (error) diag_error(old->d, "cannot write %s: %s", s->baseline, strerror(error));
    return ok && !error;
}

static bool analyse_old(Since *s, Run *r, const char *overlay)
{
    Options options = *r->o;
    options.no_cache = true; // the cache knows files by their real content
    options.quiet = true;
    Diag quiet = {.quiet = true};
    Capture changed = {0};
    U32s which = {0};
    MadeUnits made = {0};
    Words files = {0};
    old_jobs(s, r, overlay, &changed, &which);
    Cache *none = cache_open(NULL, "", NULL, 0, &quiet);
    bool ok = !changed.jobs.len ||
              units_make(&options, &quiet, s->a, none, &changed, &made, &files);
    cache_close(none);
    if (!ok) diag_error(r->d, "the units of %s cannot be made", r->o->since);
    uint32_t failed = 0;
    vec_each (i, &made) failed += !made.at[i].unit;
    if (failed)
        diag_warn(r->d, "%u unit%s did not compile at %s: findings there may seem new", failed,
                  failed == 1 ? "" : "s", r->o->since);
    if (ok) {
        run_read_specs(r);
        Run old = {.o = r->o,
                   .d = r->d,
                   .arena = s->a,
                   .cache = r->cache,
                   .cache_path = r->cache_path,
                   .capture = r->capture,
                   .specs = r->specs,
                   .spec_names = r->spec_names,
                   .findings = findings_new()};
        old_units(s, r, &made, &which, &old);
        run_link(&old);
        run_analyse(&old);
        ok = write_baseline(s, &old);
        programs_free(&old.programs);
        findings_free(old.findings);
        vec_free(&old.made);
        vec_free(&old.units);
        vec_free(&old.sources);
        vec_free(&old.owned_content);
        vec_free(&old.parts);
    }
    units_free(&made);
    vec_free(&changed.jobs);
    vec_free(&which);
    vec_free(&files);
    return ok;
}

// ---- what the change touches ----

static bool in_lines(const GitChange *c, uint32_t first, uint32_t last)
{
    vec_each (i, &c->lines)
        if (c->lines.at[i].first <= last && c->lines.at[i].last >= first) return true;
    return false;
}

static const char *file_of(const Unit *u, LocId loc)
{
    return name_text(u->names, u->files.at[u->locs.at[loc.id].file].path);
}

// The lines of the function's code; they begin at its name. False: not in this file.
static bool extent(const Unit *u, const Func *f, uint32_t *first, uint32_t *last)
{
    const Loc *at = &u->locs.at[f->loc.id];
    *first = *last = at->line;
    for (uint32_t i = f->first_ins; i < f->first_ins + f->ins_count; i++) {
        const Loc *l = &u->locs.at[u->ins.at[i].loc];
        if (l->file == at->file && l->line > *last) *last = l->line;
    }
    return f->loc.id != 0;
}

// Whether every changed line of the file is in some function of the unit: then only those changed.
static bool only_functions(const Unit *u, const GitChange *c)
{
    vec_each (k, &c->lines) {
        bool inside = false;
        for (uint32_t f = 1; f < u->funcs.len && !inside; f++) {
            uint32_t first, last;
            const Func *fn = &u->funcs.at[f];
            if (!fn->block_count || !extent(u, fn, &first, &last)) continue;
            if (strcmp(file_of(u, fn->loc), c->path) != 0) continue;
            inside = c->lines.at[k].first >= first && c->lines.at[k].last <= last + 1;
        }
        if (!inside) return false;
    }
    return true;
}

// Functions of the unit that the change touches: those with a changed line; and all of them where a
// line outside of functions changed (a type, a macro, a table), in the file or in one that it includes.
// Errs towards more: what is not new by its fingerprint does not count anyway.
static void touched_in(const Since *s, const Unit *u, const MadeUnit *m, Bits *touched)
{
    bool all = false;
    for (uint32_t i = 0; i < m->file_count && !all; i++) {
        const GitChange *c = change_of(s, m->files[i]);
        all = c && (!c->before || !only_functions(u, c));
    }
    for (uint32_t f = 1; f < u->funcs.len; f++) {
        const Func *fn = &u->funcs.at[f];
        uint32_t first, last;
        if (!fn->block_count) continue;
        const GitChange *c = extent(u, fn, &first, &last) ? change_of(s, file_of(u, fn->loc)) : NULL;
        if (all || (c && in_lines(c, first, last + 1))) bits_add(touched, f);
    }
}

// From the touched functions along calls, in one direction.
typedef struct {
    const Program *p;
    Bits seen;
    VEC(FuncId) work;
    bool any_pointer; // functions that call through pointers are in already
} Spread;

static void reach(Spread *w, FuncId f)
{
    if (f.id && bits_add(&w->seen, f.id)) vec_push(&w->work, f);
}

static void spread_to_callees(Spread *w)
{
    while (w->work.len) {
        ProgRange r = w->p->funcs.at[vec_pop(&w->work).id].calls;
        for (uint32_t i = r.first; i < r.first + r.count; i++) {
            reach(w, w->p->calls.at[i].callee);
            if (w->p->calls.at[i].callee.id || w->any_pointer) continue;
            w->any_pointer = true;
            vec_each (k, &w->p->address_taken) reach(w, w->p->address_taken.at[k]);
        }
    }
}

static void spread_to_callers(Spread *w)
{
    while (w->work.len) {
        const ProgFunc *f = &w->p->funcs.at[vec_pop(&w->work).id];
        for (uint32_t i = f->callers.first; i < f->callers.first + f->callers.count; i++)
            reach(w, w->p->callers.at[i]);
        if (!(f->flags & PROG_ADDRESS_TAKEN) || w->any_pointer) continue;
        w->any_pointer = true;
        for (uint32_t g = 1; g < w->p->funcs.len; g++) {
            ProgRange r = w->p->funcs.at[g].calls;
            bool pointer = false;
            for (uint32_t i = r.first; i < r.first + r.count; i++)
                pointer = pointer || !w->p->calls.at[i].callee.id;
            if (pointer) reach(w, (FuncId){g});
        }
    }
}

static void relate(Since *s, const Run *r)
{
    Arena *a = arena_new("since");
    Bits *touched = arena_array_of(a, Bits, r->units.len + 1);
    vec_each (i, &r->made) {
        const MadeUnit *m = &r->made.at[i];
        if (!m->unit || !reads_change(s, m)) continue;
        touched[m->number] = bits_new(a, m->unit->funcs.len);
        touched_in(s, m->unit, m, &touched[m->number]);
    }
    vec_each (k, &r->programs) {
        const Program *p = r->programs.at[k];
        for (int callers = 0; callers < 2; callers++) {
            Spread w = {.p = p, .seen = bits_new(a, p->funcs.len)};
            for (uint32_t u = 0; u < p->unit_count; u++) {
                const Bits *b = &touched[p->unit_number[u]];
                if (!b->words) continue;
                bits_each (f, b) reach(&w, program_func(p, u, (UFuncId){f}));
            }
            if (callers)
                spread_to_callers(&w);
            else
                spread_to_callees(&w);
            vec_free(&w.work);
            bits_each (f, &w.seen)
                map_set(&s->related, key_of(name_text(p->names, p->funcs.at[f].source)), 1);
        }
    }
    arena_free(a);
}

// ---- begin and end ----

static void remove_scratch(const Since *s)
{
    vec_each (i, &s->diff.changes) unlink(text_path(s, i));
    unlink(arena_printf(s->a, "%s/overlay.json", s->scratch));
    unlink(arena_printf(s->a, "%s/baseline.json", s->scratch));
    rmdir(s->scratch);
}

Since *since_begin(Run *r)
{
    Since *s = mem_alloc(sizeof *s);
    s->a = arena_new("since");
    const char *tmp = getenv("TMPDIR");
    char *scratch = arena_printf(s->a, "%s/stanch-since.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    bool ok = git_diff(s->a, r->d, r->o->root, r->o->since, &s->diff);
    vec_each (i, &s->diff.changes)
        map_set(&s->change_of, key_of(s->diff.changes.at[i].path), i + 1);
    vec_each (i, &r->made) s->any = s->any || reads_change(s, &r->made.at[i]);
    if (ok && s->any) {
        ok = mkdtemp(scratch) != NULL;
        if (!ok) diag_error(r->d, "cannot make a scratch directory: %s: %s", scratch, strerror(errno));
        s->scratch = ok ? path_join(s->a, r->o->root, scratch) : NULL;
        const char *overlay = ok ? write_overlay(s, r->d) : NULL;
        ok = overlay && analyse_old(s, r, overlay);
        if (ok) relate(s, r);
    }
    if (ok) return s;
    since_end(s);
    return NULL;
}

const char *since_baseline(const Since *s)
{
    return s->baseline;
}

bool since_concerns(void *since, const Finding *f)
{
    const Since *s = since;
    return s->any && map_get(&s->related, key_of(f->function));
}

void since_end(Since *s)
{
    if (!s) return;
    if (s->scratch) remove_scratch(s);
    map_free(&s->change_of);
    map_free(&s->related);
    arena_free(s->a);
    mem_free(s);
}
