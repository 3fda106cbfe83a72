// Losses of one block in one function are one warning.
//
// The paper on ownership types (seed 004, section 6.3) reports all violations of one connected
// component of a procedure's constraints together: one forgotten release is seen at every exit. The
// ownership of what one call brought is one component wherever it goes, so findings of one
// allocation (its column too), one rule and one function are such a group. The first in rank speaks
// for it and lists the others. The others stay in the list as FINDING_JOINED: a baseline keeps each
// place, and a comment that settles one of them leaves the rest.
//
// Uses after one release are one mistake too: what is wrong is the release. Other misuses are not
// joined: to free twice at two places is two mistakes.
#include "check/check_int.h"

#include <stdlib.h>

static bool is_loss(const Finding *f)
{
    return rule_is_loss(f->rule);
}

// Whether it may be one of a group.
static bool is_one_of_some(const Finding *f)
{
    if (f->rule == RULE_USE_AFTER_FREE) return pos_known(f->freed) && pos_known(f->lost);
    return is_loss(f) && pos_known(f->alloc) && pos_known(f->lost);
}

static int group_compare(const Finding *f, const Finding *g)
{
    int c = (int)f->rule - (int)g->rule;
    if (!c) c = pos_compare(f->alloc, g->alloc);
    if (!c && f->rule == RULE_USE_AFTER_FREE) c = pos_compare(f->freed, g->freed);
    if (!c) c = text_compare(f->source.path, g->source.path);
    if (!c) c = (f->source.line > g->source.line) - (f->source.line < g->source.line);
    return c ? c : text_compare(f->function, g->function);
}

typedef struct {
    Finding *finding;
    uint32_t rank;
} Ranked;

static int by_group(const void *a, const void *b)
{
    const Ranked *f = a, *g = b;
    int c = group_compare(f->finding, g->finding);
    return c ? c : (f->rank > g->rank) - (f->rank < g->rank);
}

static void join(Arena *a, Finding *into, Finding *from)
{
    const char *when = finding_condition(a, from);
    finding_event(into, EVENT_ALSO, finding_place(from), "%s %s here%s%s",
                  from->level == into->level ? "also" : "likely also",
                  is_loss(from) ? "lost" : "used", when ? " when " : "", when ? when : "");
    from->state = FINDING_JOINED;
}

void check_join(Findings *fs)
{
    VEC(Ranked) some = {0};
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        if (f->state == FINDING_NEW && is_one_of_some(f)) vec_push(&some, ((Ranked){f, i}));
    }
    if (some.len) qsort(some.at, some.len, sizeof *some.at, by_group);
    Arena *a = arena_new("joined findings");
    uint32_t first = 0;
    vec_each (i, &some) {
        if (group_compare(some.at[first].finding, some.at[i].finding) != 0) first = i;
        if (i != first) join(a, some.at[first].finding, some.at[i].finding);
    }
    arena_free(a);
    vec_free(&some);
}
