// What a path has chosen: it took a case of a callee that stands for several, or paths were joined
// that differ in their facts alone. One of the alternatives holds; where the facts of the path rule
// out all of them, it cannot be taken.
#include "heap/heap.h"

#include "base/hash.h"
#include "heap/limits.h"

#include <stdlib.h>

static const Choice *common_tail(const Choice *a, const Choice *b)
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

static bool has_made(const Choice *list, const Choice *end, uint64_t own)
{
    for (uint32_t n = 0; list && list != end && n < CHOICES_COMPARED; list = list->prev, n++)
        if (list->own == own) return true;
    return false;
}

// What both have made at the end of their lists, and what each has made since, whatever it chose
// before: paths that differ in an earlier round of a loop still agree on this one.
const Choice *choices_common(Work *w, const Choice *a, const Choice *b)
{
    const Choice *r = common_tail(a, b), *both[CHOICES_COMPARED], *end = r;
    if (a == r || b == r) return r;
    uint32_t count = 0, looked = 0;
    // The tail stands for all lists with its fingerprint, of which b may have another.
    const Choice *b_end = b;
    while (b_end && (!end || b_end->print != end->print)) b_end = b_end->prev;
    for (; a && a != end && looked < CHOICES_COMPARED; a = a->prev, looked++)
        if (has_made(b, b_end, a->own)) both[count++] = a;
    while (count) {
        const Choice *c = both[--count];
        r = choice_new(w, r, c->ways, c->at);
    }
    return r;
}

const Choice *choice_new(Work *w, const Choice *prev, Clauses ways, uint32_t at)
{
    Choice *c = arena_new_of(w->arena, Choice);
    uint64_t own = at;
    for (uint32_t i = 0; i < ways.count; i++)
        for (uint32_t k = 0; k < ways.at[i].count; k++) {
            const Guard *g = &ways.at[i].guards[k];
            own = hash_mix(own, hash_mix(g->term.id, cond_intern(&w->conds, &g->range)));
        }
    uint64_t print = hash_mix(prev ? prev->print : 0, own);
    *c = (Choice){.prev = prev,
                  .depth = prev ? prev->depth + 1 : 1,
                  .at = at,
                  .own = own,
                  .print = print,
                  .callee = !at    ? print
                            : prev ? prev->callee
                                   : 0,
                  .ways = ways};
    return c;
}

typedef struct {
    Work *w;
    VEC(Guard) guards; // of all clauses, one after the other
} Widened;

// A fact that the hull no longer says. That a block is there or not is no choice: blocks that one path
// alone has made keep their own account.
static bool widened_fact(void *context, uint64_t key, uint64_t fact, uint64_t hull, int has)
{
    Widened *c = context;
    (void)hull;
    Term x = {(uint32_t)key};
    if (has != 2 && !(term_node(&c->w->terms, x)->flags & TERM_HAS_HEAP))
        vec_push(&c->guards, ((Guard){x, *cond_fact(&c->w->conds, fact)}));
    return true;
}

// How many guards it adds.
static uint32_t widened(Widened *c, PMap facts, PMap hull, const Clause *more)
{
    uint32_t before = c->guards.len;
    if (more) vec_append(&c->guards, more->guards, more->count);
    pmap_diff(facts, hull, widened_fact, c);
    looked_at(c->w, c->guards.len - before);
    return c->guards.len - before;
}

static bool says_no_more(const Clause *weak, const Clause *strong)
{
    for (uint32_t i = 0; i < weak->count; i++) {
        bool there = false;
        for (uint32_t k = 0; k < strong->count && !there; k++)
            there = term_same(weak->guards[i].term, strong->guards[k].term) &&
                    range_same(&weak->guards[i].range, &strong->guards[k].range);
        if (!there) return false;
    }
    return true;
}

static int newer_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

// Too many clauses to keep: of what they say only the terms that the path met last are kept, since
// the next tests ask for those and not for what earlier rounds of a loop read; then many of them are
// alike. Errs towards "possible". Gives the number of guards left.
static uint32_t keep_newest(Clauses *all)
{
    U32s terms = {0};
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; k < all->at[i].count; k++)
            vec_push(&terms, all->at[i].guards[k].term.id);
    qsort(terms.at, terms.len, sizeof *terms.at, newer_first);
    uint32_t distinct = 0, oldest = 0;
    for (uint32_t i = 0; i < terms.len && distinct < NEWEST_TERMS; i++)
        if (!i || terms.at[i] != terms.at[i - 1]) oldest = terms.at[i], distinct++;
    vec_free(&terms);
    uint32_t kept = 0, total = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        Clause c = all->at[i];
        uint32_t guards = 0;
        for (uint32_t k = 0; k < c.count; k++)
            if (c.guards[k].term.id >= oldest) c.guards[guards++] = c.guards[k];
        c.count = guards;
        bool needed = true;
        for (uint32_t k = 0; k < kept && needed; k++) needed = !says_no_more(&all->at[k], &c);
        if (!needed) continue;
        uint32_t stay = 0;
        for (uint32_t k = 0; k < kept; k++)
            if (!says_no_more(&c, &all->at[k])) all->at[stay++] = all->at[k];
        kept = stay;
        all->at[kept++] = c;
    }
    all->count = kept;
    for (uint32_t i = 0; i < kept; i++) total += all->at[i].count;
    return total;
}

// The newest choice of a path, where it was made at this very join and the other path does not share
// it: the path is itself several that met here.
static const Choice *choice_made_at(const Choice *top, const Choice *common, uint32_t at)
{
    bool here = top && top->at == at + 1 && !(common && has_made(common, NULL, top->own));
    return here ? top : NULL;
}

const Choice *choices_joined(Work *w, const State *mine, const State *other, PMap hull, uint32_t at)
{
    const Choice *common = choices_common(w, mine->choices, other->choices);
    const State *both[2] = {mine, other};
    const Choice *made[2];
    uint32_t total = 0;
    for (int i = 0; i < 2; i++) made[i] = choice_made_at(both[i]->choices, common, at);
    // Most of it is not kept: the clauses are made outside of the arena.
    Clause clauses[2 * MAX_WAYS];
    Clauses all = {.at = clauses};
    Widened c = {.w = w};
    for (int i = 0; i < 2; i++) {
        uint32_t ways = made[i] ? made[i]->ways.count : 1;
        for (uint32_t k = 0; k < ways && all.count < 2 * MAX_WAYS; k++)
            all.at[all.count++].count =
                widened(&c, both[i]->facts, hull, made[i] ? &made[i]->ways.at[k] : NULL);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        all.at[i].guards = c.guards.at + total;
        total += all.at[i].count;
    }
    if (all.count > MAX_WAYS || total > MAX_GUARDS_OF_WAYS / 2) total = keep_newest(&all);
    bool kept = all.count >= 2 && all.count <= MAX_WAYS && total <= MAX_GUARDS_OF_WAYS;
    for (uint32_t i = 0; i < all.count; i++) kept = kept && all.at[i].count;
    if (kept) {
        all.at = arena_copy(w->arena, clauses, all.count * sizeof *clauses);
        for (uint32_t i = 0; i < all.count; i++)
            all.at[i].guards = arena_copy(w->arena, all.at[i].guards,
                                          all.at[i].count * sizeof *all.at[i].guards);
    }
    vec_free(&c.guards);
    return kept ? choice_new(w, common, all, at + 1) : common;
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
