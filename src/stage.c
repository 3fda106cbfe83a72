// The pipeline, one stage after the other:
//
//   capture -> units (cache | clang, lower) -> link -> analyse -> check -> report
#include "stage.h"

#include "base/below.h"
#include "base/file.h"
#include "cache/cache.h"
#include "capture/capture.h"
#include "eval/eval.h"
#include "flow/flow.h"
#include "impact/impact.h"
#include "kept.h"
#include "link/program.h"
#include "link/specs.h"
#include "own/own.h"
#include "points/points.h"
#include "run.h"
#include "since.h"
#include "spec/spec.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// ---- measuring ----

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double cpu_seconds(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds_of(self.ru_utime) + seconds_of(self.ru_stime) + seconds_of(children.ru_utime) +
           seconds_of(children.ru_stime);
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long peak_mib(int who)
{
    struct rusage r;
    getrusage(who, &r);
    return r.ru_maxrss / 1024;
}

// Closes the stage that ran since the last call.
static void stage_done(Run *r, const char *name)
{
    double cpu = cpu_seconds(), wall = wall_seconds();
    vec_push(&r->stages, ((StageTime){name, cpu - r->cpu, wall - r->wall, peak_mib(RUSAGE_SELF)}));
    r->cpu = cpu;
    r->wall = wall;
}

// Adds what was spent since `before` to a part of the analysis; gives the time now.
static double part_done(Run *r, const char *name, double before)
{
    double now = cpu_seconds();
    uint32_t k = 0;
    while (k < r->parts.len && strcmp(r->parts.at[k].name, name) != 0) k++;
    if (k == r->parts.len) vec_push(&r->parts, ((StageTime){.name = name}));
    r->parts.at[k].cpu += now - before;
    r->parts.at[k].peak = peak_mib(RUSAGE_SELF);
    return now;
}

static void count_doubt(void *context, const DoubtNote *n)
{
    ((uint32_t *)context)[n->id]++;
}

// Of all findings, shown or not, one for each defect.
static void print_doubts(const Run *r)
{
    uint32_t count[DOUBT_COUNT] = {0};
    vec_each (i, &r->findings->all) doubt_each(&r->findings->all.at[i]->doubts, count_doubt, count);
    for (uint32_t i = 0; i < DOUBT_COUNT; i++)
        if (count[i]) fprintf(stderr, "doubt      %-18s %u\n", doubt_info(i)->word, count[i]);
    for (uint32_t i = 0; i < ASSUME_COUNT; i++)
        if (r->work.assumed[i])
            fprintf(stderr, "assumption %-18s %llu\n", assumption_word(i),
                    (unsigned long long)r->work.assumed[i]);
}

static void print_stats(const Run *r)
{
    fprintf(stderr, "%-10s %10s %10s %12s\n", "stage", "cpu s", "wall s", "peak MiB");
    double cpu = 0, wall = 0;
    vec_each (i, &r->stages) {
        const StageTime *s = &r->stages.at[i];
        fprintf(stderr, "%-10s %10.3f %10.3f %12ld\n", s->name, s->cpu, s->wall, s->peak);
        if (strcmp(s->name, "analyse") == 0)
            vec_each (k, &r->parts)
                fprintf(stderr, "  %-8s %10.3f %23ld\n", r->parts.at[k].name, r->parts.at[k].cpu,
                        r->parts.at[k].peak);
        cpu += s->cpu;
        wall += s->wall;
    }
    fprintf(stderr, "%-10s %10.3f %10.3f %12ld  children %ld MiB\n", "total", cpu, wall,
            peak_mib(RUSAGE_SELF), peak_mib(RUSAGE_CHILDREN));
    CacheCounts c = r->cache_counts;
    if (r->recalled)
        fprintf(stderr, "kept       %u of %u functions as an earlier run or program had them\n",
                r->recalled, r->findings->run.functions);
    fprintf(stderr, "cache      %u read, %u missed, %u stored, %u removed\n", c.hits, c.misses,
            c.stored, c.evicted);
    fprintf(stderr, "results    %u read, %u missed, %u written\n", c.results_read, c.results_missed,
            c.results_stored);
    if (c.shared)
        fprintf(stderr,
                "store      %u read, %u missed, %u written, %u made elsewhere, %u refused, %u "
                "failed requests\n",
                c.store_read, c.store_missed, c.store_stored, c.store_elsewhere, c.store_refused,
                c.store_failed);
    uint64_t ins = 0;
    vec_each (i, &r->units) ins += r->units.at[i]->ins.len;
    fprintf(stderr, "program    %u units, %u programs, %llu instructions\n", r->units.len,
            r->programs.len, (unsigned long long)ins);
    fprintf(stderr, "evaluation %u functions, %u of them on one path, %llu steps\n",
            r->work.functions, r->work.silent, (unsigned long long)r->work.steps);
    fprintf(
        stderr,
        "projection %llu of %llu instructions, %llu of %llu branches; %llu forks, %llu branches "
        "passed over; %llu stores and calls idle\n",
        (unsigned long long)r->work.kept, (unsigned long long)r->work.instructions,
        (unsigned long long)r->work.governing, (unsigned long long)r->work.branches,
        (unsigned long long)r->work.forks, (unsigned long long)r->work.passed_over,
        (unsigned long long)r->work.idle);
    print_doubts(r);
    Out *replays = out_memory();
    witness_print_counts(replays, &r->witness);
    vec_each (i, &r->findings->all) {
        const Finding *f = r->findings->all.at[i];
        if (r->o->verbose && (f->replay == REPLAY_REFUTED || f->replay == REPLAY_UNDECIDED))
            out_printf(replays, "  %s: %s:%u: %s in %s%s%s\n",
                       f->replay == REPLAY_REFUTED ? "refuted" : "undecided",
                       f->lost.path ? path_below(r->o->root, f->lost.path) : "?", f->lost.line,
                       rule_info(f->rule)->word, f->function, *f->replay_text ? ": " : "",
                       f->replay_text);
    }
    fputs(out_content(replays, NULL), stderr);
    out_discard(replays);
    fprintf(stderr, "value flow");
    for (uint32_t v = 0; v < FLOW_VERDICTS; v++)
        fprintf(stderr, "%s %u %s", v ? "," : "", r->verdicts[v],
                flow_verdict_text((FlowVerdict)v));
    fprintf(stderr, "\n");
}

// ---- capture and units ----

static bool is_unit_file(const char *path)
{
    const char *ext = path_extension(path);
    return strcmp(ext, "u") == 0 || strcmp(ext, "unit") == 0;
}

static void add_unit(Run *r, Unit *u, Hash128 content, const char *path, const char *source)
{
    vec_push(&r->units, u);
    vec_push(&r->owned, u);
    vec_push(&r->owned_content, content);
    vec_push(&r->owned_paths, path);
    vec_push(&r->sources, source);
}

static int compare_words(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// By path, so that messages and the list of failures do not depend on the order of the command line.
static bool load_unit_files(Run *r, const Words *files)
{
    Words sorted = {0};
    vec_each (i, files) {
        if (file_is_dir(files->at[i]))
            units_below(r->arena, r->d, files->at[i], &sorted);
        else
            vec_push(&sorted, files->at[i]);
    }
    if (sorted.len) qsort(sorted.at, sorted.len, sizeof *sorted.at, compare_words);
    vec_each (i, &sorted) {
        const char *path = sorted.at[i];
        r->total++;
        Hash128 content;
        Unit *u = unit_load(path, &content, r->d);
        if (!u) {
            findings_failed_unit(r->findings, path_join(r->arena, r->o->root, path), "not a unit");
            continue;
        }
        add_unit(r, u, content, path, arena_strdup(r->arena, name_text(u->names, u->source)));
    }
    vec_free(&sorted);
    return true;
}

static bool capture_inputs(Run *r)
{
    const Options *o = r->o;
    switch (o->input) {
    case INPUT_FILES: {
        Words sources = {0}, units = {0};
        vec_each (i, &o->files) {
            if (is_unit_file(o->files.at[i]))
                vec_push(&units, o->files.at[i]);
            else
                vec_push(&sources, o->files.at[i]);
        }
        bool ok = load_unit_files(r, &units);
        if (sources.len)
            ok = capture_files(r->arena, r->d, sources.at, sources.len, o->flags.at, o->flags.len,
                               &r->capture);
        vec_free(&sources);
        vec_free(&units);
        return ok;
    }
    case INPUT_DATABASE:
        return capture_compdb(r->arena, r->d, o->database, &r->capture);
    case INPUT_BUILD: {
        bool ok = capture_build(r->arena, r->d, o->build, &r->capture);
        if (r->capture.build_status)
            diag_warn(r->d, "the build failed with status %d; %s", r->capture.build_status,
                      ok ? "what it had compiled is analysed" : "it had compiled nothing");
        return ok;
    }
    case INPUT_COMMAND:
        return capture_command(r->arena, r->d, o->flags.at, o->flags.len, &r->capture);
    case INPUT_UNITS:
        return load_unit_files(r, &o->files);
    case INPUT_LAST:
        return last_load(r);
    }
    return false;
}

static void say_skipped(Run *r)
{
    vec_each (i, &r->capture.skipped) {
        const CaptureSkip *s = &r->capture.skipped.at[i];
        if (r->o->verbose)
            diag_note(r->d, "left out: %s: %s", path_below(r->o->root, s->source), s->reason);
    }
}

static bool make_units(Run *r)
{
    if (r->capture.jobs.len) {
        r->findings->run.compiled_at = cache_now();
        if (!units_make(r->o, r->d, r->arena, r->cache, &r->capture, &r->made, &r->files))
            return false;
    }
    vec_each (i, &r->made) {
        MadeUnit *m = &r->made.at[i];
        r->total++;
        if (!m->unit) {
            // What a build has deleted since is no mistake; what a database promises has to be there.
            if (r->o->input == INPUT_DATABASE && !file_exists(m->source))
                diag_error(r->d, "%s: the build database lists it, and it is not there",
                           path_below(r->o->root, m->source));
            findings_failed_unit(r->findings, m->source, m->reason);
            continue;
        }
        m->number = r->units.len;
        vec_push(&r->units, m->unit);
        vec_push(&r->sources, m->source);
    }
    vec_each (i, &r->files)
        if (path_below(r->o->root, r->files.at[i]) != r->files.at[i])
            findings_source(r->findings, r->files.at[i]);
    r->findings->run.units_total = r->total;
    r->findings->run.units_analysed = r->units.len;
    if (r->units.len) return true;
    if (r->total)
        diag_error(r->d, r->total == 1 ? "the one unit could not be analysed" : "none of the %u units could be analysed",
                   r->total);
    else if (r->capture.observed)
        diag_error(r->d, "the build compiled nothing; start it from a clean tree");
    else if (!r->d->errors)
        diag_error(r->d, "there is nothing to analyse");
    return false;
}

// ---- analysis ----

// The models first, then the project's own files, then those named on the command line: what comes
// later says more about this program.
void run_read_specs(Run *r)
{
    if (r->specs) return;
    r->spec_names = names_new();
    r->specs = spec_new(r->spec_names);
    spec_verbose(r->specs, r->o->verbose);
    const char *models = r->o->models;
    r->models_missing = !models || !spec_add_dir(r->specs, models, SPEC_FROM_MODEL, r->d);
    if (r->models_missing)
        diag_warn(r->d,
                  "the models of the library functions %s%s: what the library allocates and "
                  "releases is not known; set STANCH_MODELS to the directory of the models that "
                  "came with stanch",
                  models ? "are not all to be had from " : "were not found", models ? models : "");
    if (!r->o->no_project_specs) spec_add_project(r->specs, r->o->root, r->d);
    vec_each (i, &r->o->specs) spec_add_file(r->specs, r->o->specs.at[i], SPEC_FROM_USER, r->d);
    programs_forward(&r->programs, r->arena, r->specs);
}

// A line that is redrawn while the functions are evaluated, on a terminal.
typedef struct {
    const char *program;
    double last;
    bool drawn;
} Progress;

static void show_progress(void *context, uint32_t done, uint32_t total)
{
    Progress *p = context;
    double now = wall_seconds();
    if (now - p->last < 0.1 || (done == total && !p->drawn)) return;
    p->last = now;
    p->drawn = done < total;
    fputs("\r\033[K", stderr);
    if (p->drawn) fprintf(stderr, "[%u/%u] %.60s", done, total, p->program);
    fflush(stderr);
}

static void end_progress(const Progress *p)
{
    if (p->drawn) fputs("\r\033[K", stderr);
}

static char *get_result(void *context, Hash128 key, size_t *len)
{
    return cache_get_result(context, key, len);
}

static bool claim(void *context, Hash128 key, uint32_t ms)
{
    return cache_claim(context, key, ms);
}

static void put_result(void *context, Hash128 key, const void *bytes, size_t len)
{
    cache_put_result(context, key, bytes, len);
}

// With what earlier runs left to be remembered, and leaving the same for the next. What own has
// found (from the `first` on) and flow is measured by what the evaluation knows.
static void evaluate(Run *r, uint32_t program, EvalOptions *o, Own *own, Flow *flow, uint32_t first)
{
    RecallStore store = {.context = r->cache, .get = get_result, .put = put_result};
    if (r->o->store) store.claim = claim;
    bool kept = keep_results_key(r, &store.base);
    // A library that many programs link is evaluated for the first of them, cache or not.
    if (kept || r->programs.len > 1) o->store = &store;
    Progress progress = {.program = r->programs.at[program]->name, .last = wall_seconds()};
    if (!*progress.program) progress.program = "functions";
    if (!r->o->quiet && isatty(2)) {
        o->progress = show_progress;
        o->progress_context = &progress;
    }
    Eval *e = eval_new(r->programs.at[program], o);
    eval_run(e, r->findings);
    end_progress(&progress);
    own_settle(own, e);
    Bits given_up = eval_given_up(e, r->arena);
    flow_report(flow, &given_up, r->findings);
    eval_impact(e, r->findings, first);
    if (r->programs.at[program]->host) eval_registrars(e, &r->few);
    r->recalled += eval_recalled(e);
    eval_work(e, &r->work);
    witness_counts_add(&r->witness, eval_witness(e));
    eval_free(e);
}

// The one place where the analyses are called: each program goes through points, flow, project,
// eval and own, which add to r->findings. Units that an earlier program holds already
// (unit_fresh) are there to be looked into, not to be reported again.
typedef struct {
    Map of; // hash of the name of a function with code -> calls of it
} Calls;

static uint64_t name_key(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static uint32_t calls_of(void *context, const char *function)
{
    const Calls *c = context;
    const uint64_t *count = map_get(&c->of, name_key(function));
    return count ? (uint32_t)*count : 0;
}

// Of each unit once, however many programs it is part of.
static void count_calls(Calls *c, const Program *p)
{
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f}) || !p->unit_fresh[p->funcs.at[f].unit]) continue;
        ProgRange r = p->funcs.at[f].calls;
        for (uint32_t i = r.first; i < r.first + r.count; i++) {
            FuncId callee = p->calls.at[i].callee;
            if (!program_has_code(p, callee)) continue;
            const char *name = name_text(p->names, p->funcs.at[callee.id].source);
            ++*map_at(&c->of, name_key(name), 0, NULL);
        }
    }
}

static void doubt(Run *r)
{
    Calls c = {0};
    vec_each (i, &r->programs) count_calls(&c, r->programs.at[i]);
    check_doubt(r->findings, calls_of, &c);
    map_free(&c.of);
}

static void note_override(Run *r, const SpecFunc *f, const char *name, bool code)
{
    findings_override(r->findings, name, (Pos){f->file, f->line, f->col}, code);
}

// What the project's own specifications say in place of a model or of code.
static void note_overrides(Run *r)
{
    if (!r->specs || r->o->no_project_specs || !spec_has_project(r->specs)) return;
    const char *name;
    for (uint32_t i = 0;; i++) {
        const SpecFunc *f = spec_project_replaces(r->specs, i, &name);
        if (!name) break;
        if (f) note_override(r, f, name, false);
    }
    Names *told = names_new();
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        for (uint32_t k = 1; k < p->funcs.len; k++) {
            if (!program_has_code(p, (FuncId){k})) continue;
            const char *symbol = name_text(p->names, p->funcs.at[k].name),
                       *source = name_text(p->names, p->funcs.at[k].source);
            const SpecFunc *f = spec_find(r->specs, symbol, source);
            if (!f || !f->project || !spec_beats_code(f) || name_find(told, symbol).id) continue;
            name_of(told, symbol);
            note_override(r, f, source, true);
        }
    }
    names_free(told);
}

// Programs that load plug-ins first: they say when they call what a plug-in hands over.
static void programs_in_order(const Run *r, U32s *order)
{
    for (uint32_t host = 2; host-- > 0;)
        vec_each (i, &r->programs)
            if (r->programs.at[i]->host == (host == 1)) vec_push(order, i);
}

void run_analyse(Run *r)
{
    Hash128 key;
    bool kept = keep_key(r, &key);
    bool known = kept && keep_read(r, key);
    // The shipped models have nothing to say; the user's files may, and say it in every run.
    if (!known || r->user_specs || r->o->verbose) run_read_specs(r);
    if (r->user_specs || !kept) note_overrides(r);
    if (known) return;
    U32s order = {0};
    programs_in_order(r, &order);
    vec_each (n, &order) {
        uint32_t i = order.at[n];
        registrars_tell(&r->few, r->programs.at[i]);
        double at = cpu_seconds();
        uint32_t first = r->findings->all.len;
        // Ownership first: it says what the call sites make us believe of unknown functions.
        Own *own =
            own_new(r->programs.at[i],
                    &(OwnOptions){.specs = r->specs, .audit = r->o->check.level == LEVEL_AUDIT});
        own_run(own, r->findings);
        at = part_done(r, "own", at);
        Points *points = points_solve(r->programs.at[i], r->specs);
        at = part_done(r, "points", at);
        Flow *flow = flow_new(r->programs.at[i], points, r->specs);
        for (uint32_t k = 0; k < flow_source_count(flow); k++)
            r->verdicts[flow_result(flow, k).verdict]++;
        FlowHints hints = flow_hints(flow, r->arena);
        at = part_done(r, "flow", at);
        EvalOptions options = {.specs = r->specs,
                               .points = points,
                               .hints = r->o->prune == PRUNE_ALL ? &hints : NULL,
                               .in_full = r->o->prune == PRUNE_NOTHING,
                               .beliefs = own_beliefs(own),
                               .without = r->o->check.without,
                               .threads = r->o->jobs};
        evaluate(r, i, &options, own, flow, first);
        part_done(r, "eval", at);
        flow_free(flow);
        points_free(points);
        own_free(own);
    }
    vec_free(&order);
    map_free(&r->few);
    doubt(r);
    if (kept) keep_write(r, key);
}

// ---- the commands ----

void run_begin(Run *r, const Options *o, Diag *d)
{
    *r = (Run){.o = o, .d = d};
    r->arena = arena_new("run");
    r->cpu = 0; // what the start of the process cost belongs to the first stage
    r->wall = wall_seconds();
    r->findings = findings_new();
    r->findings->without = o->check.without;
    r->cache_path =
        o->no_cache ? NULL
                    : path_join(r->arena, o->root, o->cache_dir ? o->cache_dir : ".stanch/cache");
    // A directory that the user names is trusted itself; what a project brings along is not.
    const char *dir = o->no_cache || o->cache_dir ? r->cache_path : o->root;
    r->cache = cache_open(dir, o->cache_dir ? "" : ".stanch/cache", o->root, 0, d);
}

// Up to the linked programs. False: there is nothing to go on with.
static bool run_front(Run *r)
{
    if (!capture_inputs(r)) return false;
    say_skipped(r);
    stage_done(r, "capture");
    if (!make_units(r)) return false;
    stage_done(r, "units");
    run_link(r);
    last_save(r);
    if (r->o->input != INPUT_LAST) kept_save_jobs(r);
    stage_done(r, "link");
    return true;
}

// What is kept below .stanch is of no use to others, but for the project's specifications.
static void ignore_kept(const Run *r)
{
    static const char text[] = "*\n!*.own\n";
    int root = r->o->no_cache ? -1 : below_trust(r->o->root);
    int dir = root >= 0 ? below_dir(root, ".stanch", false) : -1;
    if (dir >= 0 && faccessat(dir, ".gitignore", F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        below_write(dir, ".gitignore", text, sizeof text - 1);
    if (dir >= 0) close(dir);
    if (root >= 0) close(root);
}

void run_end(Run *r)
{
    ignore_kept(r);
    r->cache_counts = cache_counts(r->cache);
    cache_close(r->cache);
    if (r->o->stats) {
        stage_done(r, "end");
        print_stats(r);
    }
    programs_free(&r->programs);
    units_free(&r->made);
    vec_each (i, &r->owned) unit_free(r->owned.at[i]);
    vec_free(&r->owned);
    vec_free(&r->owned_paths);
    vec_free(&r->owned_content);
    vec_free(&r->units);
    vec_free(&r->sources);
    vec_free(&r->files);
    vec_free(&r->stages);
    vec_free(&r->parts);
    vec_free(&r->last_steps);
    vec_free(&r->last_needed);
    if (r->specs) spec_free(r->specs);
    names_free(r->spec_names);
    findings_free(r->findings);
    arena_free(r->arena);
}

// Before the work: hours of analysis must not end in a report that cannot be written.
static bool can_write(const char *path, Diag *d)
{
    Out *o = path ? out_file(path) : NULL;
    if (path && !o) diag_error(d, "cannot write %s: %s", path, strerror(errno));
    if (o) out_discard(o);
    return !path || o;
}

static bool wants_color(const Options *o)
{
    if (o->color != COLOR_AUTO) return o->color == COLOR_ALWAYS;
    return !o->output && isatty(1) && !getenv("NO_COLOR");
}

// What could not be used at all (a missing file, a bad specification) is not hidden by findings in
// the rest.
static int final_status(const Run *r, int reported)
{
    if (r->d->errors) return EXIT_UNUSABLE;
    if (reported == EXIT_CLEAN && r->models_missing) return EXIT_INCOMPLETE;
    return reported;
}

// ---- what is asked for ----

typedef struct {
    const Run *r;
    Since *since; // or null
} FileFilter;

// A finding is about a file where the memory is obtained, lost or released there, or where its path
// leads through it.
static bool is_in(const Finding *f, const char *path)
{
    const Pos places[] = {f->lost, f->alloc, f->source, f->freed};
    for (int i = 0; i < 4; i++)
        if (places[i].path && strcmp(places[i].path, path) == 0) return true;
    vec_each (i, &f->events)
        if (f->events.at[i].pos.path && strcmp(f->events.at[i].pos.path, path) == 0) return true;
    return false;
}

static bool concerns(void *context, const Finding *f)
{
    const FileFilter *asked = context;
    const Words *only = &asked->r->o->only;
    bool in = only->len == 0;
    vec_each (i, only) in = in || is_in(f, path_join(asked->r->arena, asked->r->o->root, only->at[i]));
    return in && (!asked->since || since_concerns(asked->since, f));
}

// Files of which nothing can be told, because nothing that was compiled reads them.
static void say_unread(Run *r)
{
    vec_each (i, &r->o->only) {
        const char *path = path_join(r->arena, r->o->root, r->o->only.at[i]), *ext = path_extension(path);
        bool read = false;
        vec_each (k, &r->files) read = read || strcmp(r->files.at[k], path) == 0;
        if (read) continue;
        if (!file_exists(path)) {
            diag_error(r->d, "%s: %s", r->o->only.at[i], strerror(ENOENT));
        } else if (ext[0] == 'h' || ext[0] == 'H') {
            diag_note(r->d, "%s: no unit includes it", r->o->only.at[i]);
        } else {
            diag_warn(r->d, "%s: not compiled by this program", r->o->only.at[i]);
            findings_failed_unit(r->findings, path, "not compiled by this program");
            r->findings->run.units_total++;
        }
    }
}

// What may be quoted: the files that the compiler has read. Units that were made elsewhere could
// say anything of that: of theirs only what is below the working directory.
static void allow_sources(Run *r, Sources *sources)
{
    sources_restrict(sources, r->o->root);
    vec_each (i, &r->units) {
        const Unit *u = r->units.at[i];
        bool elsewhere = i < r->owned.len && is_unit_file(r->owned_paths.at[i]);
        for (uint32_t f = 1; f < u->files.len; f++) {
            const char *path = name_text(u->names, u->files.at[f].path);
            if (u->files.at[f].foreign) continue;
            if (elsewhere)
                sources_allow_below(sources, path);
            else
                sources_allow(sources, path);
        }
    }
    vec_each (i, &r->files) sources_allow(sources, r->files.at[i]);
}

static int check_and_report(Run *r, Since *since)
{
    const Options *o = r->o;
    FileFilter asked = {r, since};
    CheckOptions check = o->check;
    check.each |= !format_for_people(o->format);
    if (since) check.since = since_baseline(since);
    if (since || o->only.len) {
        check.concerns = concerns;
        check.context = &asked;
    }
    Sources *sources = sources_new();
    allow_sources(r, sources);
    int status = EXIT_UNUSABLE;
    r->findings->run.seconds = wall_seconds() - r->started;
    if (check_run(r->findings, &check, sources, r->d)) {
        stage_done(r, "check");
        const char *kept = arena_printf(r->arena, "%s/.stanch", o->root);
        kept_confirmed(r, r->findings);
        kept_save_findings(r);
        ReportOptions report = {.format = o->format,
                                .root = o->root,
                                .color = wants_color(o),
                                .quiet = o->quiet,
                                .verbose = o->verbose,
                                .category = o->category,
                                .level = o->check.level,
                                .impact = o->check.impact,
                                .sources = sources};
        report.seconds = isatty(1) && !o->output;
        status = report_to(r->findings, &report, o->output, r->d);
        uint32_t rare = o->format == FORMAT_TEXT || o->quiet ? 0 : report_rare(r->findings);
        if (rare) diag_note(r->d, "%u more that a process has at most a few times (--impact=at-exit)", rare);
        if (o->write_baseline) {
            int error = baseline_write(r->findings, o->root, o->write_baseline);
            if (error) {
                diag_error(r->d, "cannot write %s: %s", o->write_baseline, strerror(error));
                status = EXIT_UNUSABLE;
            }
        }
        if (!o->no_cache && !o->no_record)
            history_record(r->findings, kept, o->root, o->title, cache_now() / 1000000000, r->d);
        stage_done(r, "report");
    }
    sources_free(sources);
    return status;
}

int stage_check(const Options *o, Diag *d)
{
    if (!can_write(o->output, d) || !can_write(o->write_baseline, d)) return EXIT_UNUSABLE;
    Run r;
    run_begin(&r, o, d);
    r.started = r.wall;
    int status = EXIT_UNUSABLE;
    const char *why = NULL;
    bool shares = !o->store || cache_share(r.cache, o->store, &why);
    if (!shares) diag_error(d, "--store=%s: %s", o->store, why);
    if (shares && run_front(&r)) {
        say_unread(&r);
        Since *since = o->since ? since_begin(&r) : NULL;
        if (o->since) stage_done(&r, "since");
        if (since || !o->since) {
            run_analyse(&r);
            stage_done(&r, "analyse");
            status = final_status(&r, check_and_report(&r, since));
        }
        since_end(since);
    }
    // A build that failed is the news, whatever was found in what it had compiled.
    if (r.capture.build_status) status = EXIT_BUILD_FAILED;
    // The others say so by what they print.
    if (o->quiet && status == EXIT_BUILD_FAILED) diag_error(d, "the build failed with status %d", r.capture.build_status);
    if (o->quiet && status == EXIT_INCOMPLETE)
        diag_error(d, "incomplete: %u of %u units analysed", r.findings->run.units_analysed, r.findings->run.units_total);
    run_end(&r);
    return status;
}

static bool write_unit(Run *r, const Unit *u, const char *path)
{
    Out *out = out_file(path);
    int error = out ? 0 : errno;
    if (out) {
        if (strcmp(path_extension(path), "u") == 0)
            unit_print(out, u);
        else
            unit_write(out, u);
        error = out_close(out);
    }
    if (error) diag_error(r->d, "cannot write %s: %s", path, strerror(error));
    return error == 0;
}

int stage_unit(const Options *o, Diag *d)
{
    if (!can_write(o->output, d)) return EXIT_UNUSABLE;
    Run r;
    run_begin(&r, o, d);
    int status = EXIT_UNUSABLE;
    if (capture_inputs(&r) && make_units(&r) && r.units.len == 1 &&
        write_unit(&r, r.units.at[0], o->output))
        status = EXIT_CLEAN;
    run_end(&r);
    return status;
}

// x.o.unit; for a source that is compiled and linked at once ("prog//dir/x.c") prog.x.c.unit.
static const char *unit_beside(Arena *a, const char *object)
{
    const char *cut = strstr(object, "//");
    if (!cut) return arena_printf(a, "%s.unit", object);
    return arena_printf(a, "%.*s.%s.unit", (int)(cut - object), object, path_base(cut));
}

int stage_unit_command(const Options *o, Diag *d)
{
    Run r;
    run_begin(&r, o, d);
    int status = EXIT_UNUSABLE;
    if (capture_inputs(&r)) {
        status = EXIT_CLEAN;
        // What an earlier compile left would be taken for this one's.
        vec_each (i, &r.capture.jobs)
            for (uint32_t k = 0; k < r.capture.jobs.at[i].object_count; k++)
                unlink(unit_beside(r.arena, r.capture.jobs.at[i].objects[k]));
        if (r.capture.jobs.len && !make_units(&r)) status = EXIT_INCOMPLETE;
        vec_each (i, &r.made) {
            const CaptureJob *job = &r.capture.jobs.at[i];
            if (!r.made.at[i].unit) status = EXIT_INCOMPLETE;
            for (uint32_t k = 0; r.made.at[i].unit && k < job->object_count; k++)
                if (!write_unit(&r, r.made.at[i].unit, unit_beside(r.arena, job->objects[k])))
                    status = EXIT_UNUSABLE;
        }
    }
    run_end(&r);
    return status;
}

int stage_show(const Options *o, Diag *d, const char *what, const char *selector)
{
    if (strcmp(what, "witness") == 0) return stage_witness(o, d, selector);
    if (!can_write(o->output, d)) return EXIT_UNUSABLE;
    Run r;
    run_begin(&r, o, d);
    int status = EXIT_UNUSABLE;
    if (run_front(&r)) {
        Out *out = o->output ? out_file(o->output) : out_fd(1);
        if (!out) {
            diag_error(d, "cannot write %s: %s", o->output, strerror(errno));
        } else {
            // Names of functions and files are the program's own.
            if (!o->output) out_guard(out);
            Out *text = out_memory();
            bool found = show_print(&r, text, what, selector);
            size_t len;
            const char *bytes = out_content(text, &len);
            if (found && !len) show_nothing(&r, what, selector);
            out_bytes(out, bytes, len);
            out_discard(text);
            int error = out_close(out);
            // Whoever reads may have seen enough.
            if (error && error != EPIPE)
                diag_error(d, "cannot write: %s", strerror(error));
            else if (found)
                status = d->errors                         ? EXIT_UNUSABLE
                         : r.findings->run.failed.len != 0 ? EXIT_INCOMPLETE
                                                           : EXIT_CLEAN;
        }
    }
    run_end(&r);
    return status;
}
