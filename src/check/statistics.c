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

void check_doubt(Findings *fs, CallCount *calls, void *context)
{
    Statistics d = {.arena = arena_new("doubts")};
    vec_each (i, &fs->all)
        if (is_open(fs->all.at[i])) vec_push(&d.open, fs->all.at[i]);
    if (d.open.len) {
        doubt_uses(&d, calls, context);
        doubt_owners(&d);
    }
    vec_each (i, &d.doubts) {
        const Doubt *x = &d.doubts.at[i];
        finding_doubt(x->finding, x->id, x->finding->lost, x->argument);
    }
    vec_free(&d.open);
    vec_free(&d.doubts);
    arena_free(d.arena);
}
