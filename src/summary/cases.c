// Cases that a caller cannot tell apart become one, and where there are more than it can afford
// those that differ in the least (summary.c makes them, one for each exit).
#include "summary/summary.h"

#include "base/hash.h"
#include "summary/limits.h"

#include <string.h>

bool case_does_anything(const Case *c)
{
    uint32_t done = 0;
#define COUNT_DOES(count) done += c->count;
#define COUNT_ASKS(count)
#define LIST(type, name, count, least, kind, join, word) COUNT_##kind(count)
#define WAYS(name, join)
#define TERM(name, join)
#define FLAG(name, join)
#define NUMBER(name, join)
#define TEXT(name, join)
#define DOUBTS(name)
#include "summary/case.def"
#include "summary/rows_end.h"
    return done != 0;
}

// How a caller tells results apart: by sign, or by being a certain object.
static uint64_t result_class(const Summary *sum, Term r)
{
    const TermNode *n = &sum->terms.nodes.at[r.id];
    if (!r.id) return 0;
    if (n->kind == T_INT) return n->value < 0 ? 1 : n->value == 0 ? 2 : 3;
    if (n->flags & TERM_HAS_HEAP) return 8 + (uint64_t)r.id;
    return n->flags & TERM_HAS_BASE ? 4 : 5;
}

static bool is_address(const Summary *sum, Term x)
{
    return sum->terms.nodes.at[x.id].flags & TERM_HAS_BASE;
}

static bool holds_address(const Summary *sum, const Effect *e)
{
    return is_address(sum, e->value);
}

// How much of a case counts when cases are compared: all but the guards; not plain data and the
// exact result either; of addresses only where they are written and whether they are null, an
// object of the call or something else; only the sign of the result and what is allocated and what
// is freed; only the last two.
typedef enum {
    COMPARE_ALL,
    COMPARE_ADDRESSES,
    COMPARE_OWNERS,
    COMPARE_RESULTS,
    COMPARE_OBJECTS
} Compare;

// What the caller's pointer becomes: whether what it held is still owned there hangs on that, not on
// which of several unknowns it is.
static uint64_t owner_class(const Summary *sum, Term x)
{
    const TermNode *n = &sum->terms.nodes.at[x.id];
    if (n->kind == T_INT) return n->value == 0;
    return n->flags & TERM_HAS_HEAP ? 8 + (uint64_t)x.id : 2;
}

static uint64_t key_Release(const Release *r)
{
    return hash_mix(1 + ((uint64_t)r->base.id << 2), r->family.id);
}
static uint64_t key_Move(const Move *m) { return hash_mix(m->to.id, m->from.id); }

// Rows whose join is SAME, whatever else is compared: cases that differ there never become one. A
// row of another type asks for its key_T here.
static uint64_t key_of_same(const Case *c)
{
    uint64_t h = 0;
#define ALL_SAME(type, name, count) \
    for (uint32_t i = 0; i < c->count; i++) h = hash_mix(h, key_##type(&c->name[i]));
#define ALL_UNION(type, name, count)
#define ALL_COARSE(type, name, count)
#define ALL_BOTH(type, name, count)
#define ALL_OWN(type, name, count)
#define ONE_SAME(value) h = hash_mix(h, value);
#define ONE_OR(value)
#define ONE_AND(value)
#define ONE_LEAST(value)
#define ONE_BOTH(value)
#define ONE_ALIKE(value)
#define ONE_OWN(value)
#define ONE_NONE(value)
#define LIST(type, name, count, least, kind, join, word) ALL_##join(type, name, count)
#define WAYS(name, join)                                 ONE_##join(c->name.count)
#define TERM(name, join)                                 ONE_##join(c->name.id)
#define FLAG(name, join)                                 ONE_##join(c->name)
#define NUMBER(name, join)                               ONE_##join(c->name)
#define TEXT(name, join)                                 ONE_##join(c->name != NULL)
#define DOUBTS(name)
#include "summary/case.def"
#include "summary/rows_end.h"
    return h;
}

static uint64_t case_key(const Summary *sum, const Case *c, Compare how)
{
    uint64_t h = key_of_same(c);
    bool coarse = how != COMPARE_ALL;
    for (uint32_t i = 0; i < c->effect_count; i++) {
        const Effect *e = &c->effects[i];
        bool pointer = sum->terms.nodes.at[e->value.id].width == sum->terms.pointer_bits;
        if (how >= COMPARE_RESULTS || (how == COMPARE_ADDRESSES && !holds_address(sum, e)) ||
            (how == COMPARE_OWNERS && !pointer))
            continue;
        uint64_t value = how == COMPARE_OWNERS ? owner_class(sum, e->value) : e->value.id;
        h = hash_mix(h, hash_mix(hash_mix(e->base.id, (uint64_t)e->offset), hash_mix(e->size, value)));
    }
    for (uint32_t i = 0; i < c->scribble_count && !coarse; i++)
        h = hash_mix(h, 5 + ((uint64_t)c->scribbles[i].id << 3));
    for (uint32_t i = 0; i < c->loose_count && !coarse; i++)
        h = hash_mix(h, 6 + ((uint64_t)c->loose[i].id << 3));
    for (uint32_t i = 0; i < c->havoc_count && !coarse; i++)
        h = hash_mix(h, 2 + ((uint64_t)c->havocs[i].id << 2));
    for (uint32_t i = 0; i < c->escape_count && how < COMPARE_RESULTS; i++)
        h = hash_mix(h, 3 + ((uint64_t)c->escapes[i].id << 2));
    for (uint32_t i = 0; i < c->object_count; i++)
        h = hash_mix(h, (uint64_t)c->objects[i].term.id << 2);
    if (how == COMPARE_OBJECTS) return h;
    return hash_mix(h, coarse ? result_class(sum, c->result) : c->result.id);
}

typedef VEC(Term) Escapes;

static void add_escape(Escapes *escapes, Term x)
{
    vec_each (i, escapes)
        if (term_same(escapes->at[i], x)) return;
    vec_push(escapes, x);
}

static void join_terms(Term **into, uint32_t *count, const Term *other, uint32_t other_count,
                       Arena *arena)
{
    Escapes all = {0};
    vec_append(&all, *into, *count);
    for (uint32_t i = 0; i < other_count; i++) add_escape(&all, other[i]);
    *count = all.len;
    *into = arena_copy(arena, all.at, all.len * sizeof *all.at);
    vec_free(&all);
}

static PMap facts_of(Conds *c, const Case *k)
{
    PMap facts = NULL;
    for (uint32_t i = 0; i < k->guard_count; i++)
        facts =
            pmap_set(c->arena, facts, k->guards[i].term.id, cond_intern(c, &k->guards[i].range));
    return facts;
}

typedef VEC(Guard) Guards;

// Two cases becoming one: what is known in each.
typedef struct {
    Summary *sum;
    Arena *arena;
    Conds *conds;
    PMap mine, other;
    Guards fresh; // about the unknowns that come of it
} Joining;

// What stood at the effect's place when the call began; none for memory that the call made.
static Term initial_value(Summary *sum, const Effect *e)
{
    Terms *t = &sum->terms;
    Address a = term_address(t, e->base);
    TermKind kind = term_kind(t, a.base);
    if (!a.base.id || (kind != T_PARAM && kind != T_INPUT && kind != T_GLOBAL)) return (Term){0};
    return term_leaf(t, T_INPUT, t->nodes.at[e->value.id].width, a.base.id, a.index.id, 0,
                     e->offset);
}

// An unknown that lies within the bounds of both; `y` none: nothing is known of the other.
static Term unknown_of(Joining *j, const Effect *e, Term x, Term y)
{
    Terms *t = &j->sum->terms;
    uint32_t width = t->nodes.at[x.id].width;
    Term u = term_leaf(t, T_MERGE, width, UINT32_MAX, e->base.id, 0, e->offset);
    if (y.id && width > 1 && width == t->nodes.at[y.id].width)
        vec_push(&j->fresh, ((Guard){u, cond_range_hull(cond_range(j->conds, j->mine, x),
                                                        cond_range(j->conds, j->other, y))}));
    return u;
}

// What differs becomes unknown; an address that is there in one case only counts as handed to
// unknown code in both, so that nothing is claimed of it, nor of what stood there before and stays
// in the other case.
static void join_effects(Joining *j, Case *into, const Case *other)
{
    Summary *sum = j->sum;
    Arena *arena = j->arena;
    Escapes escapes = {0};
    vec_append(&escapes, into->escapes, into->escape_count);
    for (uint32_t i = 0; i < other->escape_count; i++) add_escape(&escapes, other->escapes[i]);
    VEC(Effect) all = {0};
    vec_append(&all, into->effects, into->effect_count);
    uint32_t own = all.len;
    for (uint32_t i = 0; i < other->effect_count; i++) {
        const Effect *e = &other->effects[i];
        uint32_t at = 0;
        while (at < own && !(term_same(all.at[at].base, e->base) && all.at[at].offset == e->offset))
            at++;
        if (at < own && term_same(all.at[at].value, e->value)) continue;
        Term mine = at < own ? all.at[at].value : initial_value(sum, e);
        if (at == own) vec_push(&all, *e);
        bool address = holds_address(sum, e) || (mine.id && is_address(sum, mine));
        if (address && mine.id) add_escape(&escapes, mine);
        if (address) add_escape(&escapes, e->value);
        at = at < own ? at : all.len - 1;
        all.at[at].value =
            mine.id ? unknown_of(j, e, mine, e->value) : unknown_of(j, e, e->value, (Term){0});
    }
    for (uint32_t i = 0; i < own; i++) {
        bool both = false;
        for (uint32_t k = 0; k < other->effect_count; k++)
            both |= term_same(all.at[i].base, other->effects[k].base) &&
                    all.at[i].offset == other->effects[k].offset;
        if (both) continue;
        Term theirs = initial_value(sum, &all.at[i]);
        if (holds_address(sum, &all.at[i]) || (theirs.id && is_address(sum, theirs))) {
            add_escape(&escapes, all.at[i].value);
            if (theirs.id) add_escape(&escapes, theirs);
        }
        all.at[i].value = unknown_of(j, &all.at[i], all.at[i].value, theirs);
    }
    into->escape_count = escapes.len;
    into->escapes = arena_copy(arena, escapes.at, escapes.len * sizeof *escapes.at);
    vec_free(&escapes);
    into->effect_count = all.len;
    into->effects = arena_copy(arena, all.at, all.len * sizeof *all.at);
    vec_free(&all);
}

// New guards in place of what was said of the same terms.
static void add_guards(Case *c, const Guards *more, Arena *arena)
{
    if (!more->len) return;
    Guard *all = arena_array_of(arena, Guard, c->guard_count + more->len);
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->guard_count; i++) {
        bool again = false;
        vec_each (k, more) again |= term_same(more->at[k].term, c->guards[i].term);
        if (!again) all[count++] = c->guards[i];
    }
    vec_each (k, more) all[count++] = more->at[k];
    c->guards = all;
    c->guard_count = count;
}

static Range range_hull(const Range *x, const Range *y)
{
    Range r = *x;
    if (y->smin < r.smin) r.smin = y->smin;
    if (y->smax > r.smax) r.smax = y->smax;
    if (y->umin < r.umin) r.umin = y->umin;
    if (y->umax > r.umax) r.umax = y->umax;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r.not_count; i++)
        for (uint32_t j = 0; j < y->not_count; j++)
            if (r.not [i] == y->not [j]) r.not [kept++] = r.not [i];
    for (uint32_t i = kept; i < r.not_count; i++) r.not [i] = 0;
    r.not_count = kept;
    return r;
}

static void escape_result(Case *c, Term x, Arena *arena)
{
    Term *more = arena_array_of(arena, Term, c->escape_count + 1);
    if (c->escape_count) memcpy(more, c->escapes, c->escape_count * sizeof *more);
    more[c->escape_count++] = x;
    c->escapes = more;
}

static bool has_term(const Term *terms, uint32_t count, Term x)
{
    for (uint32_t i = 0; i < count; i++)
        if (term_same(terms[i], x)) return true;
    return false;
}

// Those of a list that are in another too; returns how many.
static uint32_t keep_common(Term *list, uint32_t count, const Term *other, uint32_t other_count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (has_term(other, other_count, list[i])) list[kept++] = list[i];
    return kept;
}

static bool is_null_in(const Case *c, Term x)
{
    int64_t value;
    for (uint32_t i = 0; i < c->guard_count; i++)
        if (term_same(c->guards[i].term, x) && range_single(&c->guards[i].range, 64, &value) &&
            value == 0)
            return true;
    return false;
}

// What is used in both, or in one and is null in the other. Before the guards are joined.
static void join_uses(Case *into, const Case *other, Arena *arena)
{
    Escapes all = {0};
    for (uint32_t i = 0; i < into->use_count; i++)
        if (has_term(other->uses, other->use_count, into->uses[i]) ||
            is_null_in(other, into->uses[i]))
            vec_push(&all, into->uses[i]);
    for (uint32_t i = 0; i < other->use_count; i++)
        if (!has_term(into->uses, into->use_count, other->uses[i]) &&
            is_null_in(into, other->uses[i]))
            vec_push(&all, other->uses[i]);
    into->use_count = all.len;
    into->uses = arena_copy(arena, all.at, all.len * sizeof *all.at);
    vec_free(&all);
}

// What case.def says of fields that need no look at others. `coarse`: the cases may differ in more
// than their guards.
static void join_rows(Case *into, const Case *other, bool coarse, Arena *arena)
{
#define JOIN_SAME(name, count)
#define JOIN_OWN(name, count)
#define JOIN_UNION(name, count)                                                                    \
    join_terms(&into->name, &into->count, other->name, other->count, arena);
#define JOIN_COARSE(name, count)                                                                   \
    if (coarse) JOIN_UNION(name, count)
#define JOIN_BOTH(name, count)                                                                     \
    into->count = keep_common(into->name, into->count, other->name, other->count);
#define VALUE_SAME(name)
#define VALUE_OWN(name)
#define VALUE_NONE(name) into->name = (Clauses){0};
#define VALUE_OR(name)   into->name |= other->name;
#define VALUE_AND(name)  into->name &= other->name;
#define VALUE_LEAST(name)                                                                          \
    if (other->name < into->name) into->name = other->name;
#define VALUE_ALIKE(name)                                                                          \
    if (!other->name || (into->name && strcmp(into->name, other->name) != 0)) into->name = NULL;
#define VALUE_BOTH(name)                                                                           \
    if (!other->name) into->name = NULL;

#define LIST(type, name, count, least, kind, join, word) JOIN_##join(name, count)
#define WAYS(name, join)                                 VALUE_##join(name)
#define TERM(name, join)                                 VALUE_##join(name)
#define FLAG(name, join)                                 VALUE_##join(name)
#define NUMBER(name, join)                               VALUE_##join(name)
#define TEXT(name, join)                                 VALUE_##join(name)
#define DOUBTS(name) doubt_join(arena, &into->name, &other->name);
#include "summary/case.def"
#include "summary/rows_end.h"
}

// What one of the paths left alone, and why: what the joined case still leaves alone, each of them did, so that the reason
// of one is enough for it to happen; one that the caller cannot have excluded by what it passed is better. What was asked
// is told only where both asked it.
static void join_declined(Case *into, const Case *other)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < into->declined_count; i++) {
        bool told = into->declined[i].param != DECLINED_NONE;
        for (uint32_t k = 0; k < other->declined_count && !told; k++)
            told = declined_same(&into->declined[i], &other->declined[k]);
        Declined d = into->declined[i];
        for (uint32_t k = 0; k < other->declined_count && d.given; k++)
            if (other->declined[k].param == d.param && other->declined[k].part == d.part) d = other->declined[k];
        if (told) into->declined[kept++] = d;
    }
    into->declined_count = kept;
}

// Guards of both: those that hold either way.
static void join_cases(Joining *both, Case *into, const Case *other, Compare how)
{
    Summary *sum = both->sum;
    Arena *arena = both->arena;
    uint32_t kept = 0;
    join_uses(into, other, arena);
    join_declined(into, other);
    for (uint32_t i = 0; i < into->guard_count; i++)
        for (uint32_t j = 0; j < other->guard_count; j++) {
            if (!term_same(into->guards[i].term, other->guards[j].term)) continue;
            Guard g = {into->guards[i].term,
                       range_hull(&into->guards[i].range, &other->guards[j].range)};
            into->guards[kept++] = g;
            break;
        }
    into->guard_count = kept;
    if (how != COMPARE_ALL) join_effects(both, into, other);
    add_guards(into, &both->fresh, arena);
    vec_free(&both->fresh);
    if (!term_same(into->result, other->result)) {
        // An unknown with what both are known to be.
        const TermNode a = sum->terms.nodes.at[into->result.id],
                       b = sum->terms.nodes.at[other->result.id];
        Term joined = term_leaf(&sum->terms, T_MERGE, a.width, UINT32_MAX, 0, 1,
                                a.kind == T_INT ? (a.value > 0) - (a.value < 0) : 2);
        if (a.kind == T_INT && b.kind == T_INT && a.width > 1) {
            int64_t low = a.value < b.value ? a.value : b.value,
                    high = a.value < b.value ? b.value : a.value;
            Guard g = {joined, {.smin = low, .smax = high, .umin = 0, .umax = UINT64_MAX}};
            if (a.width < 64) g.range.umax = ((uint64_t)1 << a.width) - 1;
            add_guards(into, &(Guards){&g, 1, 1}, arena);
        } else if (a.width == sum->terms.pointer_bits && a.width == b.width) {
            // Addresses that are not null either way.
            Guard g = {joined,
                       cond_range_hull(cond_range(both->conds, both->mine, into->result),
                                       cond_range(both->conds, both->other, other->result))};
            if (g.range.umin || g.range.not_count) add_guards(into, &(Guards){&g, 1, 1}, arena);
        }
        // A result that is owned in one case only: nothing is claimed of it.
        if (a.flags & TERM_HAS_HEAP) escape_result(into, into->result, arena);
        if (b.flags & TERM_HAS_HEAP) escape_result(into, other->result, arena);
        into->result = joined;
    }
    // One object of two sizes: of neither. Of two places: of either.
    for (uint32_t i = 0; i < into->object_count; i++)
        for (uint32_t k = 0; k < other->object_count; k++) {
            ObjInfo *o = &into->objects[i];
            const ObjInfo *also = &other->objects[k];
            if (!term_same(o->term, also->term)) continue;
            if (!term_same(o->size, also->size)) o->size = (Term){0};
            o->several |= also->several || !pos_same(o->pos, also->pos);
        }
    join_rows(into, other, how != COMPARE_ALL, arena);
    // Where cells of a block that moved were joined, what had moved there may be there still.
    for (uint32_t i = 0; i < into->move_count && how != COMPARE_ALL; i++)
        join_terms(&into->loose, &into->loose_count, &into->moves[i].from, 1, arena);
}

typedef struct {
    Conds *conds;
    Case *into;
} GuardFill;

static bool fill_guard(void *context, uint64_t key, uint64_t fact)
{
    GuardFill *f = context;
    f->into->guards[f->into->guard_count++] = (Guard){{(uint32_t)key}, *cond_fact(f->conds, fact)};
    return true;
}

// Cases that do the same, where the guard of the one that they become is no weaker than "one of
// theirs holds".
static void merge_exact(Summary *sum, Arena *arena)
{
    Arena *scratch = arena_new("cases");
    Conds conds;
    conds_init(&conds, scratch, &sum->terms);
    VEC(uint64_t) keys = {0};
    VEC(PMap) facts = {0};
    for (uint32_t i = 0; i < sum->case_count; i++) {
        vec_push(&keys, case_key(sum, &sum->cases[i], COMPARE_ALL));
        vec_push(&facts, facts_of(&conds, &sum->cases[i]));
    }
    for (bool again = true; again;) {
        again = false;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < sum->case_count; i++) {
            bool joined = false;
            for (uint32_t k = 0; k < kept && !joined; k++) {
                PMap both;
                joined =
                    keys.at[k] == keys.at[i] && cond_union(&conds, facts.at[k], facts.at[i], &both);
                if (!joined) continue;
                // One of the two that says all that both say vouches for it alone.
                uint64_t all = pmap_print(both);
                bool vouched = (!doubt_blurs(&sum->cases[k].doubts) && pmap_print(facts.at[k]) == all) ||
                               (!doubt_blurs(&sum->cases[i].doubts) && pmap_print(facts.at[i]) == all);
                Case *into = &sum->cases[k];
                bool ways = ways_any(into) || ways_any(&sum->cases[i]);
                Clauses clauses = {0};
                if (ways) clauses = ways_before(into, &sum->cases[i], scratch);
                join_cases(&(Joining){.sum = sum, .arena = arena}, into, &sum->cases[i],
                           COMPARE_ALL);
                if (vouched) doubt_drop_blur(&sum->cases[k].doubts);
                facts.at[k] = both;
                sum->cases[k].guards = arena_array_of(arena, Guard, pmap_size(both));
                sum->cases[k].guard_count = 0;
                pmap_each(both, fill_guard, &(GuardFill){&conds, &sum->cases[k]});
                if (ways) ways_after(into, clauses, arena);
            }
            again |= joined;
            if (joined) continue;
            keys.at[kept] = keys.at[i];
            facts.at[kept] = facts.at[i];
            sum->cases[kept++] = sum->cases[i];
        }
        sum->case_count = kept;
    }
    vec_free(&keys);
    vec_free(&facts);
    conds_free(&conds);
    arena_free(scratch);
}

// The second of two cases becomes part of the first.
static void join_two(Summary *sum, Arena *arena, Arena *scratch, Conds *conds, Case *into,
                     const Case *other, Compare how)
{
    Joining j = {.sum = sum,
                 .arena = arena,
                 .conds = conds,
                 .mine = facts_of(conds, into),
                 .other = facts_of(conds, other)};
    Clauses ways = ways_before(into, other, scratch);
    join_cases(&j, into, other, how);
    ways_after(into, ways, arena);
    into->joined = true;
}

static void merge_cases(Summary *sum, Arena *arena, Compare how)
{
    Map seen = {0};
    Arena *scratch = arena_new("cases");
    Conds conds;
    conds_init(&conds, scratch, &sum->terms);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        bool fresh;
        uint64_t *at = map_at(&seen, case_key(sum, &sum->cases[i], how), kept, &fresh);
        if (fresh)
            sum->cases[kept++] = sum->cases[i];
        else
            join_two(sum, arena, scratch, &conds, &sum->cases[*at], &sum->cases[i], how);
    }
    sum->case_count = kept;
    map_free(&seen);
    conds_free(&conds);
    arena_free(scratch);
}

static const Effect *effect_at(const Case *c, const Effect *e)
{
    for (uint32_t i = 0; i < c->effect_count; i++)
        if (term_same(c->effects[i].base, e->base) && c->effects[i].offset == e->offset)
            return &c->effects[i];
    return NULL;
}

// Pointers of the caller's that the one case writes and the other writes otherwise or leaves alone:
// once the two are joined nothing is claimed of what they held.
static uint32_t owners_lost(const Summary *sum, const Case *c, const Case *other)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < c->effect_count; i++) {
        const Effect *e = &c->effects[i], *also = effect_at(other, e);
        if (also && term_same(also->value, e->value)) continue;
        if (sum->terms.nodes.at[e->value.id].width != sum->terms.pointer_bits) continue;
        // One that is unknown already has no more to lose.
        bool same = also && owner_class(sum, also->value) == owner_class(sum, e->value);
        lost += same ? 0 : also ? 1 : 2;
    }
    return lost;
}

// Joins those that lose the least by it, as long as there are too many.
static void merge_likest(Summary *sum, Arena *arena, Compare how, uint32_t kept)
{
    Arena *scratch = arena_new("cases");
    Conds conds;
    conds_init(&conds, scratch, &sum->terms);
    VEC(uint64_t) keys = {0};
    for (uint32_t i = 0; i < sum->case_count; i++)
        vec_push(&keys, case_key(sum, &sum->cases[i], how));
    while (sum->case_count > kept) {
        uint32_t least = UINT32_MAX, into = 0, from = 0;
        for (uint32_t i = 1; i < sum->case_count && least; i++)
            for (uint32_t k = 0; k < i && least; k++) {
                if (keys.at[i] != keys.at[k]) continue;
                const Case *a = &sum->cases[k], *b = &sum->cases[i];
                uint32_t lost = owners_lost(sum, a, b) + owners_lost(sum, b, a);
                if (lost < least) least = lost, into = k, from = i;
            }
        if (!from) break;
        join_two(sum, arena, scratch, &conds, &sum->cases[into], &sum->cases[from], how);
        sum->case_count--;
        for (uint32_t i = from; i < sum->case_count; i++) {
            sum->cases[i] = sum->cases[i + 1];
            keys.at[i] = keys.at[i + 1];
        }
    }
    vec_free(&keys);
    conds_free(&conds);
    arena_free(scratch);
}

static bool is_merged(const Terms *t, Term x)
{
    if (!x.id) return false;
    const TermNode *n = term_node(t, x);
    if (n->kind == T_MERGE) return true;
    if (n->kind < T_ADDR && n->kind != T_INPUT) return false;
    return is_merged(t, (Term){n->a}) || is_merged(t, (Term){n->b}) ||
           (n->kind == T_ITE && is_merged(t, (Term){n->c}));
}

// A function that does the same on every path does it whatever was joined on the way: one of its
// paths is taken, and what told them apart is of no interest to the caller.
static void vouch_for_only_case(Summary *sum)
{
    if (sum->case_count != 1 || sum->incomplete || sum->cases[0].thrown) return;
    Case *c = &sum->cases[0];
    bool merged = is_merged(&sum->terms, c->result);
    for (uint32_t i = 0; i < c->effect_count; i++)
        merged |= is_merged(&sum->terms, c->effects[i].base) ||
                  is_merged(&sum->terms, c->effects[i].value);
    for (uint32_t i = 0; i < c->free_count; i++) merged |= is_merged(&sum->terms, c->frees[i].base);
    if (!merged) doubt_drop_blur(&c->doubts);
    c->joined &= merged;
    if (!merged) c->guesses = 0;
}

static bool is_plain_case(const Case *c)
{
    return !c->thrown && !c->object_count && !c->free_count && !c->move_count;
}

// A caller that cannot afford more than a path or two joins what the cases leave where nothing is handed out or released: here it
// is done once for all of them. (Joining also the cases that hand out or release the same costs findings: which of them keeps an
// argument, and which has failed, is forgotten.)
static void join_few(Summary *sum, Arena *arena)
{
    for (uint32_t i = 0; i < sum->case_count; i++)
        if (!is_plain_case(&sum->cases[i])) return;
    Arena *scratch = arena_new("cases");
    Conds conds;
    Map seen = {0};
    Case *few = arena_array_of(arena, Case, sum->case_count);
    uint32_t count = 0;
    conds_init(&conds, scratch, &sum->terms);
    for (uint32_t i = 0; i < sum->case_count; i++) {
        bool fresh;
        const Case *c = &sum->cases[i];
        uint64_t *at = map_at(&seen, case_key(sum, c, COMPARE_OBJECTS), count, &fresh);
        Case *into = &few[*at];
        if (fresh) {
            *into = *c;
            // These are joined in place.
            into->guards = arena_copy(arena, c->guards, c->guard_count * sizeof *c->guards);
            into->touches = arena_copy(arena, c->touches, c->touch_count * sizeof *c->touches);
            into->objects = arena_copy(arena, c->objects, c->object_count * sizeof *c->objects);
            count++;
            continue;
        }
        Joining j = {.sum = sum,
                     .arena = arena,
                     .conds = &conds,
                     .mine = facts_of(&conds, into),
                     .other = facts_of(&conds, c)};
        join_cases(&j, into, c, COMPARE_OBJECTS);
        into->ways = into->inherited = (Clauses){.unknown = true};
        into->joined = true;
        into->why = into->test = NULL;
    }
    if (count < sum->case_count) sum->few = few, sum->few_count = count;
    map_free(&seen);
    conds_free(&conds);
    arena_free(scratch);
}

// Whether no case with the same kind of result asks for less.
static bool is_plainest(const Summary *sum, uint32_t number)
{
    const Case *c = &sum->cases[number];
    uint64_t class = result_class(sum, c->result);
    for (uint32_t i = 0; i < sum->case_count; i++) {
        const Case *x = &sum->cases[i];
        if (x->thrown != c->thrown || result_class(sum, x->result) != class) continue;
        if (x->guard_count < c->guard_count || (x->guard_count == c->guard_count && i < number))
            return false;
    }
    return true;
}

// Of each kind of result the case with the fewest conditions is kept, which speaks of the most
// callers (that of a null argument is such a one); of the others the first ones.
static void drop_cases(Summary *sum)
{
    VEC(bool) plain = {0};
    uint32_t wanted = 0, kept = 0;
    for (uint32_t i = 0; i < sum->case_count; i++) {
        vec_push(&plain, is_plainest(sum, i));
        wanted += plain.at[i];
    }
    uint32_t others = wanted < CASES_MAX ? CASES_MAX - wanted : 0;
    for (uint32_t i = 0; i < sum->case_count && kept < CASES_MAX; i++) {
        if (!plain.at[i] && !others) continue;
        if (!plain.at[i]) others--;
        sum->cases[kept++] = sum->cases[i];
    }
    vec_free(&plain);
    sum->case_count = kept;
    sum->incomplete = true;
}

void cases_merge(Summary *sum, Arena *arena, uint32_t ins_count)
{
    merge_exact(sum, arena);
    uint32_t kept = ins_count <= SMALL_FUNCTION ? CASES_KEPT_SMALL : CASES_KEPT;
    if (sum->case_count > kept) merge_cases(sum, arena, COMPARE_ALL);
    if (sum->case_count > kept) merge_cases(sum, arena, COMPARE_ADDRESSES);
    if (sum->case_count > kept) merge_cases(sum, arena, COMPARE_OWNERS);
    if (sum->case_count > kept) merge_likest(sum, arena, COMPARE_RESULTS, kept);
    if (sum->case_count > kept) merge_likest(sum, arena, COMPARE_OBJECTS, kept);
    if (sum->case_count > CASES_MAX) drop_cases(sum);
    vouch_for_only_case(sum);
    if (sum->case_count > 1) join_few(sum, arena);
}
