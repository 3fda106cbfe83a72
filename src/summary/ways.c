// Cases that were joined into one keep what told them apart. The guards of the one are what holds
// either way, so a caller may fulfil them and yet neither of the two: str == a or str == b becomes
// "str is something". With its ways such a case is possible only where one of them is.
#include "summary/summary.h"

#include "base/hash.h"

bool ways_has_guard(const Case *c, const Guard *g)
{
    for (uint32_t i = 0; i < c->guard_count; i++)
        if (term_same(c->guards[i].term, g->term) && range_same(&c->guards[i].range, &g->range))
            return true;
    return false;
}

bool guard_is_null(const Terms *t, const Guard *g, Term *param)
{
    const TermNode *n = term_node(t, g->term);
    int64_t value;
    if (!range_single(&g->range, n->width, &value)) return false;
    bool equal = n->kind == T_EQ && value && term_is_zero(t, (Term){n->b});
    *param = equal ? (Term){n->a} : g->term;
    return (equal || value == 0) && term_kind(t, *param) == T_PARAM &&
           term_width(t, *param) == t->pointer_bits;
}

static Clause full_way(const Case *c, const Clause *w, Arena *arena)
{
    uint32_t more = w ? w->count : 0;
    Clause r = {arena_array_of(arena, Guard, c->guard_count + more), 0};
    for (uint32_t i = 0; i < more; i++) r.guards[r.count++] = w->guards[i];
    for (uint32_t i = 0; i < c->guard_count; i++) r.guards[r.count++] = c->guards[i];
    return r;
}

static const Clauses *clauses_of(const Case *c)
{
    return c->ways.count || c->ways.unknown ? &c->ways : &c->inherited;
}

bool ways_any(const Case *c)
{
    return c->ways.count || c->inherited.count;
}

Clauses ways_before(const Case *a, const Case *b, Arena *arena)
{
    Clauses all = {.unknown = a->ways.unknown || b->ways.unknown};
    const Case *both[2] = {a, b};
    uint32_t count = 0;
    for (int i = 0; i < 2; i++) {
        uint32_t own = clauses_of(both[i])->count;
        count += own ? own : 1;
    }
    if (count > MAX_WAYS) all.unknown = true;
    if (all.unknown) return all;
    all.at = arena_array_of(arena, Clause, count);
    for (int i = 0; i < 2; i++) {
        const Clauses *w = clauses_of(both[i]);
        if (!w->count) all.at[all.count++] = full_way(both[i], NULL, arena);
        for (uint32_t k = 0; k < w->count; k++)
            all.at[all.count++] = full_way(both[i], &w->at[k], arena);
    }
    return all;
}

// What the joined guards say of all of them is left out. One of which nothing is left says that the
// guards are enough.
void ways_after(Case *joined, Clauses all, Arena *arena)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        Clause *w = &all.at[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < w->count; k++)
            if (!ways_has_guard(joined, &w->guards[k])) w->guards[kept++] = w->guards[k];
        w->count = kept;
        total += kept;
        all.unknown |= kept == 0;
    }
    if (all.unknown || total > MAX_GUARDS_OF_WAYS) all = (Clauses){.unknown = true};
    joined->ways = all;
    joined->ways.at = arena_copy(arena, all.at, all.count * sizeof *all.at);
    for (uint32_t i = 0; i < all.count; i++)
        joined->ways.at[i].guards =
            arena_copy(arena, all.at[i].guards, all.at[i].count * sizeof(Guard));
}
