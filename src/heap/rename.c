// Objects that the rounds of a loop made at one place. Each is an object of its own, so that paths
// which own the newest one in the same variable differ in their open objects, round by round, and
// joining them would claim nothing of any (a line that is made larger in a loop, a copy made anew
// in each round). Before that, such a path is given the name that another one has for the object
// in the same role; if the two then agree in where open objects are and how they stand, they are joined and
// the object stays open.
//
// What is renamed must be the only open object of its place on the path. An older object that has the name
// there, freed or given away, takes the other's in turn. The joined path tells the story of the
// one whose names it has.
#include "heap/heap.h"

#include "heap/limits.h"

typedef struct {
    Work *w;
    Map *first;          // place that makes objects -> the object that stands for all of it
    Map places;          // likewise -> open objects of this path
    Term from[NAMES_CHANGED], to[NAMES_CHANGED];
    uint32_t count;
    Map memo;            // term -> what it is called now
    PMap made;           // the map that is being made
    bool dropping;       // of two passes over a map, the first
} Rename;

static uint64_t place_of(const Work *w, Term heap)
{
    const TermNode *n = term_node(&w->terms, heap);
    return (uint64_t)n->a << 32 | (n->b << 8 ^ n->width);
}

static bool is_owned(const Work *w, Term base, uint64_t word)
{
    return (word & 0xff) == OBJ_ALLOCATED && is_open_object(w, base, word);
}

static bool count_place(void *context, uint64_t key, uint64_t word)
{
    Rename *r = context;
    Term base = {(uint32_t)key};
    bool fresh;
    if (is_owned(r->w, base, word)) ++*map_at(&r->places, place_of(r->w, base), 0, &fresh);
    return true;
}

static bool choose_name(void *context, uint64_t key, uint64_t word)
{
    Rename *r = context;
    Term base = {(uint32_t)key};
    if (!is_owned(r->w, base, word)) return true;
    bool fresh;
    uint64_t place = place_of(r->w, base), *to = map_at(r->first, place, base.id, &fresh);
    uint64_t *open = map_get(&r->places, place);
    if (*to == base.id || *open != 1 || r->count == NAMES_CHANGED) return true;
    r->from[r->count] = base;
    r->to[r->count++] = (Term){(uint32_t)*to};
    return true;
}

static bool mentions_heap(const Rename *r, Term x)
{
    return x.id && (term_node(&r->w->terms, x)->flags & (TERM_HAS_HEAP | TERM_LOCAL_ONLY));
}

// Children as in walk/summarize.c.
static Term renamed(Rename *r, Term x)
{
    if (!mentions_heap(r, x)) return x;
    for (uint32_t i = 0; i < r->count; i++) {
        if (term_same(x, r->from[i])) return r->to[i];
        if (term_same(x, r->to[i])) return r->from[i];
    }
    uint64_t *known = map_get(&r->memo, x.id);
    if (known) return (Term){(uint32_t)*known};
    TermNode n = *term_node(&r->w->terms, x);
    TermNode old = n;
    bool undefined = n.kind == T_UNDEF && n.c == 0; // what stands in a fresh block
    if (n.kind >= T_ADDR || n.kind == T_INPUT || undefined) n.a = renamed(r, (Term){n.a}).id;
    if (n.kind >= T_ADDR || n.kind == T_INPUT || n.kind == T_HAVOC)
        n.b = renamed(r, (Term){n.b}).id;
    if (n.kind == T_ITE) n.c = renamed(r, (Term){n.c}).id;
    Term y = n.a == old.a && n.b == old.b && n.c == old.c ? x : term_raw(&r->w->terms, n);
    map_set(&r->memo, x.id, y.id);
    return y;
}

static bool rename_value(void *context, uint64_t key, uint64_t value)
{
    Rename *r = context;
    Term x = cell_term(value), y = renamed(r, x);
    if (!term_same(x, y))
        r->made = pmap_set(r->w->arena, r->made, key, cell_value(cell_size(value), y));
    return true;
}

// Keys change places: all that do go first.
static void move_key(Rename *r, uint64_t key, uint64_t now, uint64_t value)
{
    if (r->dropping)
        r->made = pmap_drop(r->w->arena, r->made, key);
    else
        r->made = pmap_set(r->w->arena, r->made, now, value);
}

static bool rename_cell(void *context, uint64_t key, uint64_t value)
{
    Rename *r = context;
    Term home = cell_base(key), now = renamed(r, home);
    if (!term_same(home, now))
        move_key(r, key, cell_key(now, cell_offset(key)),
                 cell_value(cell_size(value), renamed(r, cell_term(value))));
    else if (!r->dropping)
        rename_value(context, key, value);
    return true;
}

static bool rename_base(void *context, uint64_t key, uint64_t value)
{
    Rename *r = context;
    Term base = content_base(key), now = renamed(r, base);
    if (!term_same(base, now))
        move_key(r, key, content_is_part(key) ? cell_key(now, cell_offset(key)) : now.id, value);
    return true;
}

static PMap with_names(Rename *r, PMap m, PVisit visit, bool keys)
{
    r->made = m;
    r->dropping = true;
    if (keys) pmap_each(m, visit, r);
    r->dropping = false;
    pmap_each(m, visit, r);
    return r->made;
}

static bool is_in_place(void *context, uint64_t key, uint64_t word)
{
    (void)context, (void)key;
    return content_kind(word) != CONTENT_COPY;
}

bool rename_objects(Work *w, const State *s, Map *first, State *out)
{
    Rename r = {.w = w, .first = first};
    looked_at(w, pmap_size(s->objs) + pmap_size(s->env) + pmap_size(s->mem) + pmap_size(s->facts));
    pmap_each(s->objs, count_place, &r);
    pmap_each(s->objs, choose_name, &r);
    bool possible = r.count && pmap_each(s->contents, is_in_place, NULL);
    if (possible) {
        *out = *s;
        out->facts = with_names(&r, s->facts, rename_base, true);
        out->env = with_names(&r, s->env, rename_value, false);
        out->vars = with_names(&r, s->vars, rename_value, false);
        out->mem = with_names(&r, s->mem, rename_cell, true);
        out->objs = with_names(&r, s->objs, rename_base, true);
        out->contents = with_names(&r, s->contents, rename_base, true);
        PMap sizes = with_names(&r, s->sizes, rename_base, true);
        out->sizes = with_names(&r, sizes, rename_value, false);
        out->choices = NULL;
    }
    map_free(&r.places);
    map_free(&r.memo);
    return possible;
}
