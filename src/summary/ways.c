// Cases that were joined into one keep what told them apart. The guards of the one are what holds
// either way, so a caller may fulfil them and yet neither of the two: str == a or str == b becomes
// "str is something". With its ways such a case is possible only where one of them is.
#include "summary/summary.h"

#include "base/hash.h"

enum { MAX_WAYS = 12, MAX_GUARDS_OF_WAYS = 96 };

static bool same_range(const Range *x, const Range *y)
{
    bool same = x->smin == y->smin && x->smax == y->smax && x->umin == y->umin &&
                x->umax == y->umax && x->not_count == y->not_count;
    for (uint32_t i = 0; same && i < x->not_count; i++) same = x->not [i] == y->not [i];
    return same;
}

bool ways_has_guard(const Case *c, const Guard *g)
{
    for (uint32_t i = 0; i < c->guard_count; i++)
        if (term_same(c->guards[i].term, g->term) && same_range(&c->guards[i].range, &g->range))
            return true;
    return false;
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

const Choice *choices_common(const Choice *a, const Choice *b)
{
    while (a != b) {
        if (!a || !b) return NULL;
        if (a->print == b->print) break;
        if (a->depth >= b->depth)
            a = a->prev;
        else
            b = b->prev;
    }
    return a;
}

const Choice *choice_new(Work *w, const Choice *prev, Clauses ways, uint32_t at)
{
    Choice *c = arena_new_of(w->arena, Choice);
    uint64_t print = prev ? prev->print : 0;
    for (uint32_t i = 0; i < ways.count; i++)
        for (uint32_t k = 0; k < ways.at[i].count; k++) {
            const Guard *g = &ways.at[i].guards[k];
            print = hash_mix(print, hash_mix(g->term.id, cond_intern(&w->conds, &g->range)));
        }
    *c = (Choice){.prev = prev,
                  .depth = prev ? prev->depth + 1 : 1,
                  .at = at,
                  .print = print,
                  .callee = !at    ? print
                            : prev ? prev->callee
                                   : 0,
                  .ways = ways};
    return c;
}

typedef struct {
    Work *w;
    VEC(Guard) guards;
} Widened;

// A fact about an input that the hull no longer says.
static bool widened_fact(void *context, uint64_t key, uint64_t fact, uint64_t hull, int has)
{
    Widened *c = context;
    (void)hull;
    Term x = {(uint32_t)key};
    if (has != 2 && !(term_node(&c->w->terms, x)->flags & TERM_LOCAL_ONLY))
        vec_push(&c->guards, ((Guard){x, *cond_fact(&c->w->conds, fact)}));
    return true;
}

static Clause widened(Work *w, PMap facts, PMap hull, const Clause *more)
{
    Widened c = {.w = w};
    if (more) vec_append(&c.guards, more->guards, more->count);
    pmap_diff(facts, hull, widened_fact, &c);
    Clause r = {arena_copy(w->arena, c.guards.at, c.guards.len * sizeof *c.guards.at),
                c.guards.len};
    vec_free(&c.guards);
    return r;
}

const Choice *choices_joined(Work *w, const State *mine, const State *other, PMap hull, uint32_t at)
{
    const Choice *common = choices_common(mine->choices, other->choices), *top = mine->choices;
    // A third path joins the two.
    bool again = top && top->at == at + 1 && top != common && top->prev == common;
    uint32_t before = again ? top->ways.count : 1, total = 0;
    if (before >= MAX_WAYS) return common;
    Clauses all = {.at = arena_array_of(w->arena, Clause, before + 1)};
    for (uint32_t i = 0; i < before; i++)
        all.at[all.count++] = widened(w, mine->facts, hull, again ? &top->ways.at[i] : NULL);
    all.at[all.count++] = widened(w, other->facts, hull, NULL);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!all.at[i].count) return common;
        total += all.at[i].count;
    }
    return total > MAX_GUARDS_OF_WAYS ? common : choice_new(w, common, all, at + 1);
}

static bool is_possible(Work *w, PMap facts, const Clause *way)
{
    for (uint32_t i = 0; i < way->count; i++)
        if (!cond_restrict(&w->conds, &facts, way->guards[i].term, &way->guards[i].range))
            return false;
    return true;
}

bool choices_possible(Work *w, const State *s)
{
    for (const Choice *c = s->choices; c; c = c->prev) {
        bool any = false;
        for (uint32_t i = 0; i < c->ways.count && !any; i++)
            any = is_possible(w, s->facts, &c->ways.at[i]);
        if (!any) return false;
    }
    return true;
}
