// One defect, one finding.
//
// The paper on ownership types (seed 004, section 6.3) reports all violations of one connected
// component of a procedure's constraints together: one forgotten release is seen at every exit.
// Three kinds of losses belong together, joined in this order:
//
//   in a callee   a function that releases an owner and forgets what it holds is reached by many
//                 calls: one finding, in that function, with the calls counted
//   at a place    several blocks that are lost at one place, an owner and what it holds among them:
//                 one finding, the others are its parts
//   of a block    what one call brought and one function loses at several places: one finding with
//                 "also lost here"
//
// The first in rank speaks for the others, which stay in the list as FINDING_JOINED: a baseline
// keeps each place, and a comment that settles one of them leaves the rest.
//
// Uses after one release are one mistake too: what is wrong is the release. Other misuses are not
// joined: to free twice at two places is two mistakes.
#include "check/check_int.h"

#include <stdlib.h>

enum { CALLS_LISTED = 5 }; // of a callee that loses what it is given; the others are counted

static bool is_loss(const Finding *f)
{
    return rule_is_loss(f->rule);
}

static int line_compare(Pos a, Pos b)
{
    int c = text_compare(a.path, b.path);
    return c ? c : (a.line > b.line) - (a.line < b.line);
}

typedef bool Joins(const Finding *f);
typedef int Order(const Finding *f, const Finding *g);

// ---- In a callee.

static bool has_loser(const Finding *f)
{
    return is_loss(f) && f->loss == LOSS_OWNER && f->loser && pos_known(f->loser_at);
}

static int by_loser(const Finding *f, const Finding *g)
{
    int c = (int)f->rule - (int)g->rule;
    if (!c) c = pos_compare(f->loser_at, g->loser_at);
    return c ? c : text_compare(f->loser, g->loser);
}

// ---- At a place.

static bool has_places(const Finding *f)
{
    return is_loss(f) && pos_known(f->alloc) && pos_known(f->lost);
}

static int by_place(const Finding *f, const Finding *g)
{
    int c = (int)f->rule - (int)g->rule;
    if (!c) c = text_compare(f->function, g->function);
    return c ? c : line_compare(f->lost, g->lost);
}

// ---- Of a block.

static bool is_one_of_some(const Finding *f)
{
    if (f->rule == RULE_USE_AFTER_FREE) return pos_known(f->freed) && pos_known(f->lost);
    return has_places(f);
}

static int by_block(const Finding *f, const Finding *g)
{
    int c = (int)f->rule - (int)g->rule;
    if (!c) c = pos_compare(f->alloc, g->alloc);
    if (!c && f->rule == RULE_USE_AFTER_FREE) c = pos_compare(f->freed, g->freed);
    if (!c) c = line_compare(f->source, g->source);
    return c ? c : text_compare(f->function, g->function);
}

// ---- What is told of those that are joined.

static const char *also(const Finding *into, const Finding *from)
{
    return finding_level(from) == finding_level(into) ? "also" : "likely also";
}

static const char *when_of(Arena *a, const Finding *f)
{
    const char *when = finding_condition(a, f);
    return when ? arena_printf(a, " when %s", when) : "";
}

static void join_calls(Arena *a, Finding *const *group, uint32_t count)
{
    Finding *into = group[0];
    for (uint32_t i = 1; i < count; i++) {
        const Finding *from = group[i];
        if (i < CALLS_LISTED)
            finding_event(into, EVENT_ALSO, finding_place(from), "%s lost by this call in %s%s",
                          also(into, from), from->function, when_of(a, from));
    }
    if (count > CALLS_LISTED)
        finding_event(into, EVENT_NOTE, into->loser_at, "and by %u more calls", count - CALLS_LISTED);
    finding_event(into, EVENT_NOTE, into->lost, "%s loses it; %u calls in all lead there",
                  into->loser, count);
    into->callers = count;
    into->lost = into->loser_at;
    into->function = into->loser;
}

// Whether the block was there on the path that is told; also where that is not known.
static bool is_there(const Finding *on, const Finding *block)
{
    if (!(on->stages & STAGE_EVAL)) return true;
    vec_each (i, &on->there) {
        const Brought *b = &on->there.at[i];
        if (line_compare(b->alloc, block->alloc) == 0 && line_compare(b->source, block->source) == 0) return true;
    }
    return false;
}

static void join_parts(Arena *a, Finding *const *group, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const Finding *from = group[i];
        // What the same call brought is told apart by where that has it from.
        bool inside = pos_known(from->source) && pos_same(from->alloc, group[0]->alloc);
        // On another path the first one may not be there, which its condition alone does not say.
        const char *when = when_of(a, from);
        bool same = is_there(group[0], from), together = same && strcmp(when, when_of(a, group[0])) == 0;
        finding_event(group[0], EVENT_PART, inside ? from->source : from->alloc, "%s lost %s: %s from %s%s",
                      also(group[0], from), together ? "with it" : same ? "there" : "there on another path",
                      from->resource ? from->resource : "memory", from->allocator ? from->allocator : "an unknown function",
                      together ? "" : when);
    }
}

static void join_places(Arena *a, Finding *const *group, uint32_t count)
{
    Finding *into = group[0];
    for (uint32_t i = 1; i < count; i++) {
        const Finding *from = group[i];
        const char *when = when_of(a, from);
        finding_event(into, EVENT_ALSO, finding_place(from), "%s %s here%s", also(into, from),
                      is_loss(from) ? "lost" : "used", strcmp(when, when_of(a, into)) == 0 ? "" : when);
        // Its parts are parts of the whole; those that the first place has too are known.
        vec_each (k, &from->events) {
            const Event *e = &from->events.at[k];
            bool known = e->kind != EVENT_PART;
            for (uint32_t n = 0; n < into->events.len && !known; n++)
                known = into->events.at[n].kind == EVENT_PART &&
                        pos_same(into->events.at[n].pos, e->pos);
            if (!known) finding_event(into, EVENT_PART, e->pos, "%s", e->text);
        }
    }
}

// ---- Groups.

typedef struct {
    Finding *finding;
    uint32_t rank;
} Ranked;

typedef struct {
    Joins *joins;
    Order *order;
    void (*join)(Arena *a, Finding *const *group, uint32_t count);
} JoinKind;

static int ranked_order(const void *a, const void *b, void *context)
{
    const Ranked *f = a, *g = b;
    int c = ((const JoinKind *)context)->order(f->finding, g->finding);
    return c ? c : (f->rank > g->rank) - (f->rank < g->rank);
}

static void join_kind(Findings *fs, Arena *a, const JoinKind *kind)
{
    VEC(Ranked) some = {0};
    VEC(Finding *) group = {0};
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (f->state == FINDING_NEW && kind->joins(f)) vec_push(&some, ((Ranked){f, i}));
    }
    if (some.len) qsort_r(some.at, some.len, sizeof *some.at, ranked_order, (void *)kind);
    for (uint32_t i = 0, next; i < some.len; i = next) {
        vec_clear(&group);
        for (next = i; next < some.len; next++) {
            if (kind->order(some.at[i].finding, some.at[next].finding) != 0) break;
            vec_push(&group, some.at[next].finding);
        }
        if (group.len < 2) continue;
        for (uint32_t k = 1; k < group.len; k++) {
            group.at[k]->state = FINDING_JOINED;
            group.at[k]->speaker = group.at[0];
        }
        kind->join(a, group.at, group.len);
    }
    vec_free(&group);
    vec_free(&some);
}

void check_join(Findings *fs)
{
    static const JoinKind kinds[] = {
        {has_loser, by_loser, join_calls},
        {has_places, by_place, join_parts},
        {is_one_of_some, by_block, join_places},
    };
    Arena *a = arena_new("joined findings");
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) join_kind(fs, a, &kinds[i]);
    arena_free(a);
}
