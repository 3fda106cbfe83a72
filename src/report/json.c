// JSON: one object for each finding. doc/json.md is the reference; members are only ever added.
#include "report/emit.h"
#include "report/report.h"
#include "report/witness.h"

static const char *const loss_words[LOSS_COUNT] = {NULL,    "scope",  "overwrite",
                                                   "owner", "unused", "container", "main", "held"};
static const char *const heap_words[HEAP_KIND_COUNT] = {"variable", "object", "null", "unknown"};

static void place(Emit *e, const ReportOptions *o, const char *key, Pos p)
{
    if (!pos_known(p)) {
        emit_text(e, key, NULL);
        return;
    }
    emit_open(e, key, '{');
    emit_text(e, "file", report_path(o, p.path));
    emit_number(e, "line", p.line);
    emit_number(e, "column", p.col);
    emit_close(e, '}');
}

static void stages(Emit *e, uint32_t set)
{
    emit_open(e, "stages", '[');
    if (set & STAGE_EVAL) emit_text(e, NULL, "eval");
    if (set & STAGE_FLOW) emit_text(e, NULL, "flow");
    if (set & STAGE_OWN) emit_text(e, NULL, "own");
    emit_close(e, ']');
}

static void path(Emit *e, const Finding *f, const ReportOptions *o)
{
    emit_open(e, "path", '[');
    vec_each (i, &f->events) {
        const Event *v = &f->events.at[i];
        emit_open(e, NULL, '{');
        emit_text(e, "kind", event_word(v->kind));
        place(e, o, "place", v->pos);
        emit_text(e, "text", v->text);
        if (v->cond) {
            emit_text(e, "condition", v->cond);
            emit_bool(e, "taken", v->taken);
        }
        emit_number(e, "depth", v->depth);
        emit_bool(e, "folded", v->folded);
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

static void heap(Emit *e, const Finding *f)
{
    emit_open(e, "heap", '{');
    emit_open(e, "nodes", '[');
    vec_each (i, &f->nodes) {
        const HeapNode *n = &f->nodes.at[i];
        emit_open(e, NULL, '{');
        emit_text(e, "kind", heap_words[n->kind]);
        emit_text(e, "label", n->label);
        emit_text(e, "detail", finding_node_detail(f->owner->arena, n));
        emit_bool(e, "lost", n->lost);
        emit_bool(e, "freed", n->freed);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    emit_open(e, "edges", '[');
    vec_each (i, &f->edges) {
        const HeapEdge *h = &f->edges.at[i];
        emit_open(e, NULL, '{');
        emit_number(e, "from", h->from);
        emit_number(e, "to", h->to);
        emit_text(e, "label", h->label);
        emit_bool(e, "cut", h->cut);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    emit_close(e, '}');
}

typedef struct {
    Emit *e;
    const ReportOptions *o;
    Arena *arena;
} Doubted;

static void doubt(void *context, const DoubtNote *n)
{
    const Doubted *d = context;
    const DoubtInfo *info = doubt_info(n->id);
    emit_open(d->e, NULL, '{');
    emit_text(d->e, "id", info->word);
    emit_text(d->e, "axis", info->axis == AXIS_TRUTH ? "truth" : "impact");
    emit_text(d->e, "text", doubt_text(d->arena, n));
    place(d->e, d->o, "place", n->place);
    emit_close(d->e, '}');
}

// Where the memory comes from in the end, inside of the calls that brought it.
static Pos made_at(const Finding *f)
{
    Pos at = f->alloc;
    vec_each (i, &f->events)
        if (f->events.at[i].kind == EVENT_ALLOC) at = f->events.at[i].pos;
    return at;
}

// The findings that this one speaks for, of those that speak for others again too.
static void joined(Emit *e, const Finding *f, const ReportOptions *o)
{
    emit_open(e, "joined", '[');
    vec_each (i, &f->owner->all) {
        const Finding *g = f->owner->all.at[i], *by = g;
        while (by->state == FINDING_JOINED && by != f) by = by->speaker;
        if (by != f || g == f) continue;
        emit_open(e, NULL, '{');
        emit_text(e, "level", level_word(finding_level(g)));
        emit_text(e, "impact", impact_word(finding_impact(g)));
        emit_text(e, "fingerprint", g->fingerprint);
        place(e, o, "place", report_place(g));
        place(e, o, "allocation", g->alloc);
        place(e, o, "made", made_at(g));
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

static void finding(Emit *e, const Finding *f, const ReportOptions *o, Arena *a)
{
    emit_open(e, NULL, '{');
    emit_text(e, "id", finding_id(a, f));
    emit_text(e, "rule", rule_info(f->rule)->word);
    emit_number(e, "cwe", f->cwe);
    emit_text(e, "level", level_word(finding_level(f)));
    emit_text(e, "impact", impact_word(finding_impact(f)));
    emit_open(e, "doubts", '[');
    doubt_each(&f->doubts, doubt, &(Doubted){e, o, a});
    emit_close(e, ']');
    emit_text(e, "message", finding_message(a, f));
    emit_text(e, "condition", finding_condition(a, f));
    emit_text(e, "function", f->function);
    emit_text(e, "allocator", f->allocator);
    emit_text(e, "variable", f->variable);
    emit_text(e, "loss", loss_words[f->loss]);
    emit_text(e, "fingerprint", f->fingerprint);
    emit_number(e, "merged", f->merged);
    emit_number(e, "callers", f->callers);
    stages(e, f->stages);
    place(e, o, "place", report_place(f));
    place(e, o, "allocation", f->alloc);
    place(e, o, "freed", f->freed);
    path(e, f, o);
    heap(e, f);
    joined(e, f, o);
    if (f->speaker) emit_text(e, "cause", finding_id(a, f->speaker));
    emit_text(e, "settle", finding_settle(a, f));
    emit_witness(e, f, o, a);
    emit_close(e, '}');
}

static void run_facts(Emit *e, const Findings *fs, const ReportOptions *o)
{
    const RunFacts *r = &fs->run;
    uint32_t suppressed = 0, known = 0;
    vec_each (i, &fs->all) {
        suppressed += fs->all.at[i]->state == FINDING_SUPPRESSED;
        known += fs->all.at[i]->state == FINDING_KNOWN;
    }
    emit_open(e, "run", '{');
    emit_number(e, "units", r->units_total);
    emit_number(e, "units_analysed", r->units_analysed);
    emit_number(e, "functions", r->functions);
    emit_number(e, "step_budget", r->step_budget);
    emit_number(e, "suppressed", suppressed);
    emit_number(e, "known", known);
    emit_number(e, "rare", report_rare(fs));
    emit_open(e, "failed", '[');
    vec_each (i, &r->failed) {
        emit_open(e, NULL, '{');
        emit_text(e, "file", report_path(o, r->failed.at[i].path));
        emit_text(e, "reason", r->failed.at[i].reason);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    emit_open(e, "given_up", '[');
    vec_each (i, &r->given_up) {
        const GivenUp *g = &r->given_up.at[i];
        emit_open(e, NULL, '{');
        emit_text(e, "function", g->function);
        place(e, o, "place", g->pos);
        emit_text(e, "reason", g->reason);
        emit_close(e, '}');
    }
    emit_close(e, ']');
    if (r->overrides.len) emit_open(e, "overrides", '[');
    vec_each (i, &r->overrides) {
        const Override *x = &r->overrides.at[i];
        emit_open(e, NULL, '{');
        emit_text(e, "function", x->function);
        emit_text(e, "replaces", x->code ? "code" : "model");
        place(e, o, "place", x->pos);
        emit_close(e, '}');
    }
    if (r->overrides.len) emit_close(e, ']');
    emit_close(e, '}');
}

void report_json(Out *out, const Findings *fs, const ReportOptions *o)
{
    Arena *a = arena_new("json");
    Emit e = {.out = out};
    emit_open(&e, NULL, '{');
    emit_number(&e, "format", 1);
    emit_text(&e, "stanch", STANCH_VERSION);
    emit_open(&e, "findings", '[');
    vec_each (i, &fs->all) {
        if (finding_shown(fs->all.at[i])) finding(&e, fs->all.at[i], o, a);
        arena_reset(a);
    }
    emit_close(&e, ']');
    emit_open(&e, "fixed", '[');
    vec_each (i, &fs->fixed) {
        const Fixed *f = &fs->fixed.at[i];
        emit_open(&e, NULL, '{');
        emit_text(&e, "rule", f->rule);
        emit_text(&e, "file", f->path);
        emit_text(&e, "function", f->function);
        emit_text(&e, "message", f->message);
        emit_text(&e, "fingerprint", f->fingerprint);
        emit_close(&e, '}');
    }
    emit_close(&e, ']');
    run_facts(&e, fs, o);
    emit_close(&e, '}');
    arena_free(a);
}
