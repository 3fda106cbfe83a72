// Findings that would be true of nearly every use of a function speak against the analysis, not
// against the program (Engler's and Kremenek's ranking by success): programs forget a release here
// and there, and where one source seems to leak at many of its call sites there is a rule that we
// do not see. Such findings are for the audit, unless no guess was needed for them.
#include "check/check_int.h"

#include <stdlib.h>

enum {
    DOUBTFUL_SITES = 6,  // fewer are no statistics
    DOUBTFUL_SHARE = 16, // one call site of so many
};

static bool is_open(const Finding *f)
{
    return finding_level(f) == LEVEL_LIKELY && f->allocator && pos_known(f->alloc) &&
           rule_piles_up(f->rule);
}

static int by_allocator(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = strcmp(f->allocator, g->allocator);
    return c ? c : pos_compare(f->alloc, g->alloc);
}

static int by_source(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = (int)f->loss - (int)g->loss;
    if (!c) c = pos_compare(f->source, g->source);
    return c ? c : pos_compare(f->alloc, g->alloc);
}

// Call sites among findings that are sorted by them.
static uint32_t count_sites(Finding *const *group, uint32_t count)
{
    uint32_t sites = 1;
    for (uint32_t i = 1; i < count; i++)
        sites += pos_compare(group[i - 1]->alloc, group[i]->alloc) != 0;
    return sites;
}

typedef struct {
    Finding *finding;
    DoubtId id;
    const char *argument;
} Doubt;

typedef struct {
    Arena *arena;
    VEC(Finding *) open;
    VEC(Doubt) doubts;
} Statistics;

static void doubt(Statistics *d, uint32_t first, uint32_t next, DoubtId id, const char *argument)
{
    for (uint32_t i = first; i < next; i++)
        vec_push(&d->doubts, ((Doubt){d->open.at[i], id, argument}));
}

static void doubt_uses(Statistics *d, CallCount *calls, void *context)
{
    qsort(d->open.at, d->open.len, sizeof *d->open.at, by_allocator);
    for (uint32_t i = 0, next; i < d->open.len; i = next) {
        const char *name = d->open.at[i]->allocator;
        for (next = i + 1; next < d->open.len && !strcmp(d->open.at[next]->allocator, name);)
            next++;
        uint32_t sites = count_sites(&d->open.at[i], next - i), all = calls(context, name);
        if (sites >= DOUBTFUL_SITES && all && (uint64_t)sites * DOUBTFUL_SHARE > all)
            doubt(d, i, next, DOUBT_MOST_CALLS,
                  arena_printf(d->arena, "%u of %u calls of '%s'", sites, all > sites ? all : sites,
                               name));
    }
}

// The same part left in an owner wherever one is released: whoever releases it knows of the part.
static void doubt_owners(Statistics *d)
{
    qsort(d->open.at, d->open.len, sizeof *d->open.at, by_source);
    for (uint32_t i = 0, next; i < d->open.len; i = next) {
        const Finding *f = d->open.at[i];
        for (next = i + 1; next < d->open.len; next++)
            if (f->loss != d->open.at[next]->loss ||
                pos_compare(f->source, d->open.at[next]->source) != 0)
                break;
        uint32_t sites = count_sites(&d->open.at[i], next - i);
        if (f->loss == LOSS_OWNER && pos_known(f->source) && sites >= DOUBTFUL_SITES)
            doubt(d, i, next, DOUBT_MOST_OWNERS, arena_printf(d->arena, "%u", sites));
    }
}

// A misuse that ends in one place of the program and needs nothing to fail would crash each time that one of its
// callers runs. Where there are many such callers, the program works, and it is the analysis that loses track.
static bool is_open_misuse(const Finding *f)
{
    return finding_level(f) == LEVEL_LIKELY && finding_impact(f) == IMPACT_RECURS && !rule_is_loss(f->rule) && f->events.len &&
           pos_compare(f->events.at[f->events.len - 1].pos, f->lost) != 0;
}

static Pos end_of(const Finding *f)
{
    return f->events.at[f->events.len - 1].pos;
}

static int by_end(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = (int)f->rule - (int)g->rule;
    if (!c) c = pos_compare(end_of(f), end_of(g));
    return c ? c : pos_compare(f->lost, g->lost);
}

static void doubt_misuses(Statistics *d)
{
    qsort(d->open.at, d->open.len, sizeof *d->open.at, by_end);
    for (uint32_t i = 0, next; i < d->open.len; i = next) {
        const Finding *f = d->open.at[i];
        uint32_t sites = 1;
        for (next = i + 1; next < d->open.len; next++) {
            const Finding *g = d->open.at[next];
            if (f->rule != g->rule || pos_compare(end_of(f), end_of(g)) != 0) break;
            sites += pos_compare(d->open.at[next - 1]->lost, g->lost) != 0;
        }
        if (sites >= DOUBTFUL_SITES) doubt(d, i, next, DOUBT_MOST_CALLS, arena_printf(d->arena, "%u places", sites));
    }
}

// Of those that depend on callers which were not followed, and rest on something else that is not certain, one of
// nine was true in programs that had not been read before. Where an allocation has to fail that tells what the rest is
// about, unless it is values in the callers' memory, a release that was only put off or a recursion: five of six were true.
static void doubt_callers(Findings *fs)
{
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        bool told = doubt_has(&f->doubts, DOUBT_NO_MEMORY) && !doubt_has(&f->doubts, DOUBT_ASSUMED_STATE) &&
                    !doubt_has(&f->doubts, DOUBT_RELEASE_PUT_OFF) && !doubt_has(&f->doubts, DOUBT_RECURSIVE_CALL);
        if (doubt_has(&f->doubts, DOUBT_CALLERS_UNASKED) && finding_level(f) == LEVEL_LIKELY && !told)
            finding_doubt(f, DOUBT_CALLERS_AND_MORE, f->lost, NULL);
    }
}

void check_doubt(Findings *fs, CallCount *calls, void *context)
{
    Statistics d = {.arena = arena_new("doubts")};
    vec_each (i, &fs->all)
        if (is_open(fs->all.at[i])) vec_push(&d.open, fs->all.at[i]);
    if (d.open.len) {
        doubt_uses(&d, calls, context);
        doubt_owners(&d);
    }
    d.open.len = 0;
    vec_each (i, &fs->all)
        if (is_open_misuse(fs->all.at[i])) vec_push(&d.open, fs->all.at[i]);
    if (d.open.len) doubt_misuses(&d);
    vec_each (i, &d.doubts) {
        const Doubt *x = &d.doubts.at[i];
        finding_doubt(x->finding, x->id, x->finding->lost, x->argument);
    }
    doubt_callers(fs);
    vec_free(&d.open);
    vec_free(&d.doubts);
    arena_free(d.arena);
}
