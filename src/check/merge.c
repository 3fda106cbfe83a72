// One finding for one defect.
//
// Two raw findings are the same defect when rule, allocation and place of loss agree (of a call
// that brought several blocks also the allocation inside it): other
// paths and other call sites of the function add a count, not a finding. The best of them speaks
// for all: the surest, then the one with the shortest path. A finding that only the coarser
// stages made (flow, own) says no more than the evaluation's finding about the same allocation,
// wherever they see the loss, so it is taken in as agreement.
//
// Lines, not columns, are compared: macros and lifetime ends give several columns to one place.
// Errs towards merging two defects of one line.
#include "base/file.h"
#include "check/check_int.h"

#include <stdlib.h>

int text_compare(const char *a, const char *b)
{
    if (!a || !b) return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int number_compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int pos_compare(Pos a, Pos b)
{
    int c = text_compare(a.path, b.path);
    if (!c) c = number_compare(a.line, b.line);
    return c ? c : number_compare(a.col, b.col);
}

static int line_compare(Pos a, Pos b)
{
    int c = text_compare(a.path, b.path);
    return c ? c : number_compare(a.line, b.line);
}

static int event_compare(const Event *a, const Event *b)
{
    int c = pos_compare(a->pos, b->pos);
    if (!c) c = number_compare(a->kind, b->kind);
    if (!c) c = number_compare(a->depth, b->depth);
    if (!c) c = text_compare(a->text, b->text);
    return c ? c : text_compare(a->cond, b->cond);
}

static int same_defect(const Finding *a, const Finding *b)
{
    int c = number_compare(a->rule, b->rule);
    if (!c) c = line_compare(a->alloc, b->alloc);
    if (!c) c = line_compare(a->lost, b->lost);
    return c ? c : line_compare(a->source, b->source);
}

int finding_compare(const Finding *a, const Finding *b)
{
    int c = same_defect(a, b);
    if (!c) c = number_compare(finding_level(a), finding_level(b));
    if (!c) c = number_compare(finding_impact(a), finding_impact(b));
    // Who has a path knows more than who has none.
    if (!c) c = number_compare(!(a->stages & STAGE_EVAL), !(b->stages & STAGE_EVAL));
    // Of paths to one place, one without a condition has none that could be told.
    if (!c) c = number_compare(!a->when.len, !b->when.len);
    if (!c) c = number_compare(a->events.len, b->events.len);
    if (!c) c = number_compare(a->when.len, b->when.len);
    if (!c) c = pos_compare(a->lost, b->lost);
    if (!c) c = pos_compare(a->alloc, b->alloc);
    if (!c) c = pos_compare(a->freed, b->freed);
    if (!c) c = text_compare(a->function, b->function);
    for (uint32_t i = 0; !c && i < a->when.len; i++)
        c = text_compare(a->when.at[i].text, b->when.at[i].text);
    for (uint32_t i = 0; !c && i < a->events.len; i++)
        c = event_compare(&a->events.at[i], &b->events.at[i]);
    if (!c) c = text_compare(a->allocator, b->allocator);
    if (!c) c = text_compare(a->variable, b->variable);
    if (!c) c = text_compare(a->releaser, b->releaser);
    if (!c) c = text_compare(a->resource, b->resource);
    if (!c) c = text_compare(a->loser, b->loser);
    if (!c) c = text_compare(a->settle_spec, b->settle_spec);
    if (!c) c = number_compare(a->cwe, b->cwe);
    if (!c) c = number_compare(a->loss, b->loss);
    if (!c) c = number_compare(a->nodes.len, b->nodes.len);
    return c ? c : number_compare(a->edges.len, b->edges.len);
}

static int order(const void *a, const void *b)
{
    return finding_compare(*(Finding *const *)a, *(Finding *const *)b);
}

Pos finding_place(const Finding *f)
{
    return pos_known(f->lost) ? f->lost : f->alloc;
}

static void take_in(Finding *into, Finding *from)
{
    into->merged += from->merged;
    // Its own run goes with its own path.
    if (from->replay == REPLAY_WITNESSED && into->replay != REPLAY_WITNESSED) {
        into->replay = from->replay;
        into->replay_text = from->replay_text;
        if (!into->witness) into->witness = from->witness;
    }
    into->stages |= from->stages;
    // Rare only when it is rare on every path.
    into->error_exit = into->error_exit && from->error_exit;
    into->in_loop |= from->in_loop;
    into->main_path |= from->main_path;
    if (!into->settle_spec) into->settle_spec = from->settle_spec;
    if (!into->variable) into->variable = from->variable;
    if (!into->allocator) into->allocator = from->allocator;
    if (!into->nodes.len && from->nodes.len) {
        vec_append(&into->nodes, from->nodes.at, from->nodes.len);
        vec_append(&into->edges, from->edges.at, from->edges.len);
    }
    finding_drop(from);
}

// What one stage sees lost another may see held by a global at the end.
static bool same_kind(Rule a, Rule b)
{
    return a == b || (a == RULE_LEAK && rule_is_note(b)) || (rule_is_note(a) && b == RULE_LEAK);
}

static int by_alloc(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = line_compare(f->alloc, g->alloc);
    if (!c) c = (f->stages & STAGE_EVAL ? 0 : 1) - (g->stages & STAGE_EVAL ? 0 : 1);
    return c ? c : finding_compare(f, g);
}

// Takes the findings of the coarser stages into the evaluation's, by allocation.
static void agree(Findings *fs)
{
    qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, by_alloc);
    uint32_t kept = 0, group = 0; // group: the first kept finding of this allocation
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (group == kept || line_compare(fs->all.at[group]->alloc, f->alloc) != 0) group = kept;
        Finding *host = NULL;
        if (!(f->stages & STAGE_EVAL) && pos_known(f->alloc))
            for (uint32_t k = group; k < kept && !host; k++) {
                Finding *g = fs->all.at[k];
                if ((g->stages & STAGE_EVAL) && same_kind(g->rule, f->rule)) host = g;
            }
        if (host)
            take_in(host, f);
        else
            fs->all.at[kept++] = f;
    }
    fs->all.len = kept;
}

// A path without its beginning gets it: every report shows where the memory came from.
static void begin_path(Finding *f)
{
    if (!pos_known(f->alloc)) return;
    vec_each (i, &f->events)
        if (f->events.at[i].kind == EVENT_ALLOC) return;
    if (f->allocator)
        finding_event(f, EVENT_ALLOC, f->alloc, "allocated by %s", f->allocator);
    else
        finding_event(f, EVENT_ALLOC, f->alloc, "allocated here");
    Event first = vec_last(&f->events);
    memmove(f->events.at + 1, f->events.at, (f->events.len - 1) * sizeof first);
    f->events.at[0] = first;
}

// A defect that one program meets a few times may be met at any time by another that has the same
// unit: what keeps it rare in one program must do so in all. What only a later program says of such
// a unit is not told.
static void hear_others(Findings *fs)
{
    if (!fs->all.len) return;
    qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, order);
    uint32_t kept = 0, next;
    for (uint32_t i = 0; i < fs->all.len; i = next) {
        const Finding *again = NULL;
        for (next = i; next < fs->all.len && same_defect(fs->all.at[i], fs->all.at[next]) == 0;
             next++)
            if (fs->all.at[next]->again &&
                (!again || finding_impact(fs->all.at[next]) < finding_impact(again)))
                again = fs->all.at[next];
        for (uint32_t k = i; k < next; k++) {
            Finding *f = fs->all.at[k];
            if (f->again) {
                finding_drop(f);
                continue;
            }
            if (again) doubt_elsewhere(&f->doubts, &again->doubts);
            fs->all.at[kept++] = f;
        }
    }
    fs->all.len = kept;
    qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, order);
}

void check_merge(Findings *fs)
{
    hear_others(fs);
    if (!fs->all.len) return;
    uint32_t kept = 0;
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (kept && same_defect(fs->all.at[kept - 1], f) == 0)
            take_in(fs->all.at[kept - 1], f);
        else
            fs->all.at[kept++] = f;
    }
    fs->all.len = kept;
    agree(fs);
    vec_each (i, &fs->all) begin_path(fs->all.at[i]);
    qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, order);
}

bool findings_looked_at(const Findings *fs, const char *root, const char *path,
                        const char *function)
{
    const RunFacts *r = &fs->run;
    Arena *a = arena_new("path");
    const char *whole = path_join(a, root, path);
    bool gone = !file_exists(whole), failed = false, compiled = r->sources.len == 0;
    vec_each (i, &r->failed) failed |= strcmp(path_join(a, root, r->failed.at[i].path), whole) == 0;
    vec_each (i, &r->given_up) failed |= text_compare(r->given_up.at[i].function, function) == 0;
    vec_each (i, &r->sources) compiled |= strcmp(r->sources.at[i], whole) == 0;
    arena_free(a);
    return gone || (compiled && !failed);
}
