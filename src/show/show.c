// stanch show: what the stages understood, in text or for Graphviz.
#include "show/show.h"
#include "base/file.h"
#include "eval/eval.h"
#include "flow/flow.h"
#include "own/own.h"
#include "points/points.h"
#include "run.h"
#include "unit/cfg.h"
#include "witness/witness.h"

#include <stdlib.h>

typedef struct {
    uint32_t unit; // in Run.units
    const Func *func;
} Hit;

typedef VEC(Hit) Hits;

// ---- which functions are meant ----

static bool path_matches(const char *path, const char *wanted, size_t len)
{
    size_t n = strlen(path);
    if (n < len || memcmp(path + n - len, wanted, len) != 0) return false;
    return n == len || wanted[0] == '/' || path[n - len - 1] == '/';
}

static bool loc_matches(const Unit *u, uint32_t loc, const char *file, size_t len)
{
    if (!loc || !u->locs.at[loc].file) return false;
    return path_matches(name_text(u->names, u->files.at[u->locs.at[loc].file].path), file, len);
}

static bool covers_line(const Unit *u, const Func *f, const char *file, size_t len, uint32_t line)
{
    if (!loc_matches(u, f->loc.id, file, len)) return false;
    uint32_t low = u->locs.at[f->loc.id].line, high = low;
    uint32_t own_file = u->locs.at[f->loc.id].file;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        uint32_t loc = func_ins(u, f, i)->loc;
        if (!loc || u->locs.at[loc].file != own_file) continue;
        if (u->locs.at[loc].line > high) high = u->locs.at[loc].line;
    }
    return line >= low && line <= high;
}

static void by_line(const Run *r, const char *file, size_t len, uint32_t line, Hits *into)
{
    vec_each (i, &r->units) {
        const Unit *u = r->units.at[i];
        for (uint32_t k = 1; k < u->funcs.len; k++) {
            const Func *f = &u->funcs.at[k];
            if (func_is_defined(f) && covers_line(u, f, file, len, line))
                vec_push(into, ((Hit){i, f}));
        }
    }
}

static void by_name(const Run *r, const char *text, Hits *into)
{
    const char *colon = strchr(text, ':');
    bool with_file = colon && colon[1] != ':' && (colon == text || colon[-1] != ':');
    const char *name = with_file ? colon + 1 : text;
    vec_each (i, &r->units) {
        const Unit *u = r->units.at[i];
        Name n = name_find(u->names, name);
        for (uint32_t k = 1; n.id && k < u->funcs.len; k++) {
            const Func *f = &u->funcs.at[k];
            if (!func_is_defined(f) || (f->name.id != n.id && f->source.id != n.id)) continue;
            if (with_file && !loc_matches(u, f->loc.id, text, (size_t)(colon - text))) continue;
            vec_push(into, ((Hit){i, f}));
        }
    }
}

// What there is instead: the function before and the one after the line, or that nothing of the file
// was compiled.
static void say_no_function(const Run *r, const char *selector, const char *colon, uint32_t line)
{
    if (!colon) {
        diag_error(r->d, "no function with code matches '%s'", selector);
        return;
    }
    const Func *near[2] = {NULL, NULL}; // before, behind
    const Unit *unit[2] = {NULL, NULL};
    uint32_t at[2] = {0, UINT32_MAX};
    vec_each (i, &r->units) {
        const Unit *u = r->units.at[i];
        for (uint32_t k = 1; k < u->funcs.len; k++) {
            const Func *f = &u->funcs.at[k];
            if (!func_is_defined(f) || !loc_matches(u, f->loc.id, selector, (size_t)(colon - selector)))
                continue;
            uint32_t start = u->locs.at[f->loc.id].line;
            int side = start > line;
            if (near[side] && (side ? start >= at[side] : start <= at[side])) continue;
            near[side] = f;
            unit[side] = u;
            at[side] = start;
        }
    }
    const char *text = "";
    for (int side = 0; side < 2; side++)
        if (near[side])
            text = arena_printf(r->arena, "%s%s '%s' begins at line %u", text, *text ? "," : ";",
                                name_text(unit[side]->names, near[side]->source), at[side]);
    if (*text)
        diag_error(r->d, "no function with code matches '%s': the line is in none%s", selector, text);
    else
        diag_error(r->d, "no function with code matches '%s': nothing of that file was compiled",
                   selector);
}

// "name", "ns::name", "file.c:name" or "file.c:12".
static Hits select_functions(const Run *r, const char *selector)
{
    Hits hits = {0};
    const char *colon = strrchr(selector, ':');
    char *end = NULL;
    unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (colon && colon[1] && !*end)
        by_line(r, selector, (size_t)(colon - selector), (uint32_t)line, &hits);
    else
        by_name(r, selector, &hits);
    if (!hits.len) say_no_function(r, selector, colon && colon[1] && !*end ? colon : NULL, (uint32_t)line);
    return hits;
}

// ---- units ----

// "1 block", "2 blocks".
static const char *s_of(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static bool show_units(Run *r, Out *out, const char *selector)
{
    (void)selector;
    vec_each (i, &r->units) {
        const Unit *u = r->units.at[i];
        uint32_t defined = 0;
        for (uint32_t k = 1; k < u->funcs.len; k++) defined += func_is_defined(&u->funcs.at[k]);
        out_printf(out, "%s: %s, %u function%s, %u instruction%s\n",
                   path_below(r->o->root, r->sources.at[i]), name_text(u->names, u->language),
                   defined, s_of(defined), u->ins.len, s_of(u->ins.len));
    }
    vec_each (i, &r->findings->run.failed) {
        const FailedUnit *f = &r->findings->run.failed.at[i];
        out_printf(out, "%s: failed: %s\n", path_below(r->o->root, f->path), f->reason);
    }
    vec_each (i, &r->capture.skipped) {
        const CaptureSkip *s = &r->capture.skipped.at[i];
        out_printf(out, "%s: left out: %s\n", path_below(r->o->root, s->source), s->reason);
    }
    out_printf(out, "%u of %u unit%s\n", r->units.len, r->total, s_of(r->total));
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        uint32_t defined = 0;
        for (uint32_t f = 1; f < p->funcs.len; f++)
            defined += (p->funcs.at[f].flags & PROG_DEFINED) != 0;
        out_printf(out, "program %s: %u unit%s, %u function%s, %u without code",
                   *p->name ? p->name : "(link steps unknown)", p->unit_count,
                   s_of(p->unit_count), defined, s_of(defined), p->funcs.len - 1 - defined);
        if (p->duplicates) out_printf(out, ", %u defined more than once", p->duplicates);
        out_char(out, '\n');
    }
    return true;
}

// ---- ir ----

static bool show_ir(Run *r, Out *out, const char *selector)
{
    if (!selector) {
        vec_each (i, &r->units) unit_print(out, r->units.at[i]);
        return true;
    }
    Hits hits = select_functions(r, selector);
    vec_each (i, &hits) unit_print_func(out, r->units.at[hits.at[i].unit], hits.at[i].func);
    bool any = hits.len != 0;
    vec_free(&hits);
    return any;
}

// ---- calls ----

static bool show_indirect(Run *r, Out *out, const char *selector);

static bool show_calls(Run *r, Out *out, const char *selector)
{
    if (r->o->indirect) return show_indirect(r, out, selector);
    bool any = !selector;
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        U32s from = {0};
        if (selector) {
            Hits hits = select_functions(r, selector);
            for (uint32_t f = 1; f < p->funcs.len; f++) {
                const Unit *u;
                const Func *decl = program_decl(p, (FuncId){f}, &u);
                bool hit = false;
                vec_each (k, &hits)
                    if (hits.at[k].func == decl) hit = true;
                if (hit) vec_push(&from, f);
            }
            bool found = hits.len != 0;
            vec_free(&hits);
            if (!found) return false;
            any = true;
        } else {
            vec_push(&from, 0);
        }
        vec_each (k, &from) {
            if (r->o->dot) {
                program_print_dot(out, p, (FuncId){from.at[k]});
            } else {
                if (r->programs.len > 1 && *p->name) out_printf(out, "program %s:\n", p->name);
                program_print_calls(out, p, (FuncId){from.at[k]});
            }
        }
        vec_free(&from);
    }
    return any;
}

// ---- cfg ----

static void print_cfg(Out *out, const Unit *u, const Func *f)
{
    Arena *a = arena_new("cfg");
    Cfg *c = cfg_build(a, u, f);
    out_printf(out, "%s: %u block%s, %u loop%s\n",
               name_text(u->names, f->source.id ? f->source : f->name), c->block_count,
               s_of(c->block_count), c->loop_count, s_of(c->loop_count));
    for (uint32_t b = 0; b < c->block_count; b++) {
        out_printf(out, "  b%u", b);
        for (uint32_t i = 0; i < c->succ[b].count; i++)
            out_printf(out, "%s b%u", i ? "," : " ->", c->edges[c->succ[b].first + i]);
        if (c->position[b] == UINT32_MAX) out_text(out, "  unreachable");
        if (c->idom[b] != BLOCK_NONE) out_printf(out, "  idom b%u", c->idom[b]);
        if (c->loop_of[b]) {
            const Loop *l = &c->loops[c->loop_of[b] - 1];
            out_printf(out, "  loop b%u depth %u%s", l->header, l->depth,
                       l->irreducible ? " irreducible" : "");
        }
        out_char(out, '\n');
    }
    arena_free(a);
}

static bool show_cfg(Run *r, Out *out, const char *selector)
{
    Hits hits = {0};
    if (selector) {
        hits = select_functions(r, selector);
    } else {
        vec_each (i, &r->units)
            for (uint32_t k = 1; k < r->units.at[i]->funcs.len; k++)
                if (func_is_defined(&r->units.at[i]->funcs.at[k]))
                    vec_push(&hits, ((Hit){i, &r->units.at[i]->funcs.at[k]}));
    }
    vec_each (i, &hits) {
        const Unit *u = r->units.at[hits.at[i].unit];
        if (r->o->dot)
            cfg_print_dot(out, u, hits.at[i].func);
        else
            print_cfg(out, u, hits.at[i].func);
    }
    bool ok = !selector || hits.len != 0;
    vec_free(&hits);
    return ok;
}

// ---- what the evaluation found out ----

typedef void (*EvalPrint)(Out *, Callees *, FuncId, bool dot);

// Which nodes the value flow calls idle; all functions are evaluated.
static FlowHints idle_hints(const Run *r, const Program *p, const Points *points)
{
    FlowHints h = {.does = flow_relevance(r->arena, p, points)};
    h.matters = flow_matters(r->arena, p, points, h.does);
    h.idle = flow_idle(r->arena, p, points, &h.matters);
    h.freed = arena_array_of(r->arena, Bits, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++) bits_add(&h.matters, f);
    return h;
}

static bool is_hit(const Hits *hits, const Func *f)
{
    vec_each (i, hits)
        if (hits->at[i].func == f) return true;
    return false;
}

// Of all functions with code, or of those that are meant; each once, in the program that is the
// first to have its unit.
static bool show_eval(Run *r, Out *out, const char *selector, EvalPrint print)
{
    Hits hits = {0};
    if (selector) {
        hits = select_functions(r, selector);
        if (!hits.len) return false;
    }
    run_read_specs(r);
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        Findings *scratch = findings_new();
        Points *points = points_solve(p, r->specs);
        EvalOptions options = {.specs = r->specs, .points = points, .threads = r->o->jobs};
        FlowHints hints;
        if (print == show_project_of && r->o->prune == PRUNE_ALL) {
            hints = idle_hints(r, p, points);
            options.hints = &hints;
        }
        Eval *e = eval_new(p, &options);
        eval_run(e, scratch);
        for (uint32_t f = 1; f < p->funcs.len; f++) {
            const Unit *u;
            const Func *body = program_body(p, (FuncId){f}, &u);
            if (!body || (p->unit_fresh && !p->unit_fresh[p->funcs.at[f].unit])) continue;
            if (!selector || is_hit(&hits, body))
                print(out, eval_callees(e), (FuncId){f}, r->o->dot);
        }
        eval_free(e);
        points_free(points);
        findings_free(scratch);
    }
    vec_free(&hits);
    return true;
}

static bool show_summary(Run *r, Out *out, const char *selector)
{
    return show_eval(r, out, selector, show_summary_of);
}

static bool show_heap(Run *r, Out *out, const char *selector)
{
    return show_eval(r, out, selector, show_heap_of);
}

static bool show_project(Run *r, Out *out, const char *selector)
{
    return show_eval(r, out, selector, show_project_of);
}

// ---- points ----

// Functions of a program among the hits; all with code when nothing was selected.
static void functions_of(const Run *r, const Program *p, const char *selector, U32s *into)
{
    Hits hits = {0};
    if (selector) hits = select_functions(r, selector);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        bool hit = body && !selector;
        vec_each (k, &hits)
            if (hits.at[k].func == body) hit = true;
        if (hit) vec_push(into, f);
    }
    vec_free(&hits);
}

static bool show_points(Run *r, Out *out, const char *selector)
{
    bool any = !selector;
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        U32s funcs = {0};
        functions_of(r, p, selector, &funcs);
        if (funcs.len) {
            run_read_specs(r);
            Points *points = points_solve(p, r->specs);
            vec_each (k, &funcs) points_print(out, points, (FuncId){funcs.at[k]});
            points_free(points);
            any = true;
        }
        vec_free(&funcs);
    }
    return any;
}

// show calls --indirect
static bool show_indirect(Run *r, Out *out, const char *selector)
{
    bool any = !selector;
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        U32s funcs = {0};
        if (selector)
            functions_of(r, p, selector, &funcs);
        else
            vec_push(&funcs, 0);
        if (funcs.len) {
            run_read_specs(r);
            Points *points = points_solve(p, r->specs);
            vec_each (k, &funcs) points_print_calls(out, points, (FuncId){funcs.at[k]});
            points_free(points);
            any = true;
        }
        vec_free(&funcs);
    }
    return any;
}

// ---- owners ----

static bool show_owners(Run *r, Out *out, const char *selector)
{
    bool any = !selector;
    run_read_specs(r);
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        U32s functions = {0};
        functions_of(r, p, selector, &functions);
        if (functions.len) {
            Own *own = own_new(p, &(OwnOptions){.specs = r->specs});
            own_run(own, NULL);
            vec_each (k, &functions)
                if (p->unit_fresh[p->funcs.at[functions.at[k]].unit])
                    own_print_owners(out, own, (FuncId){functions.at[k]});
            own_free(own);
            any = true;
        }
        vec_free(&functions);
    }
    return any;
}

// `stanch spec infer`: not a word of show, but it goes the same way.
static bool print_specs(Run *r, Out *out)
{
    run_read_specs(r);
    Map said = {0};
    out_text(out,
             "// Drafts: what the code and its callers say of who must free. Read each line, mend "
             "it, and keep what\n// is right in a file .stanch/NAME.own of the project: the next "
             "run goes by it. stanch spec check FILE\n// reads it again.\n");
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        Own *own = own_new(p, &(OwnOptions){.specs = r->specs, .discover = true, .said = &said});
        own_run(own, NULL);
        Out *text = out_memory();
        own_print_specs(text, own);
        const char *drafts = out_content(text, NULL);
        if (*drafts && r->programs.len > 1 && *p->name)
            out_printf(out, "\n// ==== %s\n", path_below(r->o->root, p->name));
        if (*drafts) out_printf(out, "\n%s", drafts);
        out_discard(text);
        own_free(own);
    }
    map_free(&said);
    return true;
}

// ---- flow and slice ----

typedef enum { SHOW_GRAPH, SHOW_SLICES, SHOW_BLOCKS } FlowShow;

static bool show_flows(Run *r, Out *out, const char *selector, FlowShow what)
{
    const char *colon = selector ? strrchr(selector, ':') : NULL;
    uint32_t line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    bool any = !selector;
    run_read_specs(r);
    vec_each (i, &r->programs) {
        const Program *p = r->programs.at[i];
        U32s funcs = {0};
        functions_of(r, p, selector, &funcs);
        Points *points = points_solve(p, r->specs);
        Flow *flow = flow_new(p, points, r->specs);
        vec_each (k, &funcs) {
            if (what == SHOW_BLOCKS)
                flow_print_fate(out, flow, (FuncId){funcs.at[k]}, line, r->o->root);
            else if (what == SHOW_SLICES)
                flow_print_slices(out, flow, (FuncId){funcs.at[k]}, line, r->o->dot);
            else
                flow_print(out, flow, (FuncId){funcs.at[k]}, r->o->dot);
            any = true;
        }
        flow_free(flow);
        points_free(points);
        vec_free(&funcs);
    }
    return any;
}

static bool show_flow(Run *r, Out *out, const char *selector)
{
    return show_flows(r, out, selector, SHOW_GRAPH);
}

static bool show_slice(Run *r, Out *out, const char *selector)
{
    return show_flows(r, out, selector, SHOW_SLICES);
}

static bool show_blocks(Run *r, Out *out, const char *selector)
{
    return show_flows(r, out, selector, SHOW_BLOCKS);
}

// ---- run: the program, concretely; words after "--" are its arguments ----

static bool show_run(Run *r, Out *out, const char *selector)
{
    (void)selector;
    run_read_specs(r);
    Words args = {0};
    vec_push(&args, "program");
    if (r->o->input == INPUT_UNITS || r->o->input == INPUT_FILES)
        vec_append(&args, r->o->flags.at, r->o->flags.len);
    WitnessOptions options = {.args = args.at, .arg_count = args.len};
    vec_each (i, &r->programs) {
        WitnessRun run = witness_run_main(r->arena, r->programs.at[i], r->specs, &options);
        witness_print_run(out, r->programs.at[i], &run);
    }
    vec_free(&args);
    return true;
}

// ---- the table ----

static const struct {
    const char *what;
    bool (*print)(Run *, Out *, const char *);
    bool draws;
} shows[] = {
    {"units", show_units, false},    {"ir", show_ir, false},          {"calls", show_calls, true},
    {"cfg", show_cfg, true},         {"summary", show_summary, true}, {"heap", show_heap, true},
    {"project", show_project, true}, {"points", show_points, false},  {"flow", show_flow, true},
    {"slice", show_slice, true},     {"owners", show_owners, false},
    {"blocks", show_blocks, false},  {"run", show_run, false},
    {"witness", NULL, false}, // of a finding, by its id: stage_witness
};

enum { SHOW_COUNT = sizeof shows / sizeof *shows };

const char *stage_show_word(uint32_t i)
{
    return i < SHOW_COUNT ? shows[i].what : NULL;
}

bool stage_show_draws(const char *what)
{
    for (uint32_t i = 0; i < SHOW_COUNT; i++)
        if (strcmp(shows[i].what, what) == 0) return shows[i].draws;
    return false;
}

void show_nothing(Run *r, const char *what, const char *selector)
{
    static const struct {
        const char *what, *prints;
    } texts[] = {
        {"calls", "the calls of functions with code"},
        {"points", "what pointers may point to"},
        {"flow", "where the allocations of a function flow to"},
        {"slice", "the allocations at a line or in a function, with their slices"},
        {"blocks", "who is left with what a line obtains, and where it is released"},
        {"summary", "what a call of a function does"},
        {"heap", "the memory at the exits of a function"},
        {"owners", "who owns what parameters, results and fields point to"},
        {"project", "the part of a function that matters"},
        {"cfg", "the blocks of a function"},
    };
    const char *prints = "what a stage understood";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].what, what) == 0) prints = texts[i].prints;
    if (!selector) {
        diag_note(r->d, "show %s prints %s; there is nothing of the kind here", what, prints);
        return;
    }
    Hits hits = select_functions(r, selector);
    vec_each (i, &hits) {
        const Unit *u = r->units.at[hits.at[i].unit];
        const Func *f = hits.at[i].func;
        diag_note(r->d,
                  "show %s prints %s; there is nothing of the kind at '%s', which is in '%s' "
                  "(%u instruction%s, from line %u on)",
                  what, prints, selector, name_text(u->names, f->source), f->ins_count,
                  f->ins_count == 1 ? "" : "s", u->locs.at[f->loc.id].line);
    }
    vec_free(&hits);
}

bool show_print(Run *r, Out *out, const char *what, const char *selector)
{
    if (strcmp(what, "infer") == 0) return print_specs(r, out);
    for (uint32_t i = 0; i < SHOW_COUNT; i++)
        if (strcmp(shows[i].what, what) == 0) return shows[i].print(r, out, selector);
    die("show_print: %s", what);
}
