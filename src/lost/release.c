// An object is released, as a whole or for one of those that hold it.
#include "heap/elements.h"
#include "lost/lost.h"

void loosen(Work *w, State *s, Term home, uint32_t ins)
{
    TermKind kind = term_kind(&w->terms, home);
    rest_note(w, home, REST_CHANGED);
    if (kind == T_PARAM || kind == T_INPUT || kind == T_GLOBAL)
        s->loose = pmap_set(w->arena, s->loose, home.id, 1);
    escape_contents(w, s, home, ins, false);
}

// An element at an unknown index of a block was released or kept: it may be any of those that are
// stored there, so nothing is claimed of them any more.
static void element_gone(Work *w, State *s, Term element, uint32_t ins)
{
    const TermNode n = *term_node(&w->terms, element);
    Term home = {0};
    if (n.kind == T_INPUT && n.b) home = (Term){n.a};
    if (n.kind == T_HAVOC) home = term_address(&w->terms, (Term){n.b}).base;
    if (n.kind == T_UNDEF && n.a && n.c == 0) home = term_address(&w->terms, (Term){n.a}).base;
    if (n.kind == T_MERGE) return;
    if (home.id) loosen(w, s, home, ins);
}

typedef struct {
    Work *w;
    State *s;
    Term arena;
    uint32_t ins;
} ArenaWalk;

static bool release_block(void *context, uint64_t key, uint64_t value)
{
    ArenaWalk *k = context;
    if (cell_offset(key) != ARENA_AT || !term_same(cell_term(value), k->arena)) return true;
    Term block = cell_base(key);
    ObjState o = obj_get(k->s, block);
    if (o.status != OBJ_ALLOCATED || obj_failed(k->w, k->s, block)) return true;
    story_add(k->w, k->s, STORY_FREE, k->ins, block, (Term){0}, false, NULL);
    obj_set(k->w, k->s, block, (ObjState){OBJ_FREED, o.flags, k->ins, {0}});
    return true;
}

void release_arena(Work *w, State *s, Term arena, uint32_t ins)
{
    if (!(s->flags & STATE_ARENA)) return;
    PMap mem = s->mem;
    pmap_each(mem, release_block, &(ArenaWalk){w, s, arena, ins});
}

int64_t references(Work *w, const State *s, Term base)
{
    uint64_t cell;
    int64_t count;
    if (!pmap_get(s->mem, cell_key(base, REFERENCES_AT), &cell)) return 1;
    return term_is_int(&w->terms, cell_term(cell), &count) ? count : 1;
}

void set_references(Work *w, State *s, Term base, int64_t count, uint32_t ins)
{
    Term at = term_field(&w->terms, base, REFERENCES_AT);
    mem_store(w, s, at, 4, term_int(&w->terms, 32, count), ins);
}

// Whether the address is known not to be the start of its block. At an index that the path leaves
// open it may be the start: errs towards a missed misuse.
static bool is_inside(Work *w, const State *s, const Address *a)
{
    Terms *t = &w->terms;
    if (!a->index.id) return a->offset != 0;
    Term start = term_eq(t, a->index, term_int(t, term_width(t, a->index), -a->offset));
    return cond_decide(&w->conds, s->facts, start) == COND_FALSE;
}

typedef struct {
    const Terms *terms;
    Term base;
    U32s values;
} Moved;

static bool note_element(void *context, uint64_t key, uint64_t value)
{
    Moved *e = context;
    Term home = cell_base(key), x = cell_term(value);
    if (term_same(home, e->base) || !(term_node(e->terms, x)->flags & TERM_HAS_BASE)) return true;
    if (term_same(term_address(e->terms, home).base, e->base)) vec_push(&e->values, x.id);
    return true;
}

// The caller's array, with something of ours at an index that is not known: a table that is grown,
// whose elements were moved before it goes. Where no element is seen to move it is because none is
// known. Errs towards a missed leak.
static void keep_elements(Work *w, State *s, Term base, uint32_t ins)
{
    Moved e = {&w->terms, base, {0}};
    pmap_each(s->mem, note_element, &e);
    vec_each (i, &e.values) escape_term(w, s, (Term){e.values.at[i]}, ins);
    vec_free(&e.values);
}

bool release(Work *w, State *s, Term x, FamilyId family, bool deep, uint32_t ins, const char *by)
{
    w->silent = false;
    Terms *t = &w->terms;
    const TermNode n = *term_node(t, x);
    if (n.kind == T_ITE) {
        Truth c = cond_decide(&w->conds, s->facts, (Term){n.a});
        if (c != COND_UNKNOWN)
            return release(w, s, (Term){c == COND_TRUE ? n.b : n.c}, family, deep, ins, by);
        // One of two: nothing is claimed of either.
        escape_term(w, s, x, ins);
        return true;
    }
    Address a = term_address(t, x);
    if (!a.base.id) {
        // Null, or an address out of the blue; or a number.
        const SpecFamily *numbers = spec_family(w->facts->specs, family);
        bool standard = numbers && numbers->repr == SPEC_VALUE && n.kind == T_INT && n.value >= 0 &&
                        n.value <= LAST_STANDARD_STREAM;
        if (standard && (s->flags & STATE_CLOSED_MASK) != STATE_CLOSED_MASK)
            s->flags += STATE_CLOSED;
        return true;
    }
    // Worked out from a number that we know (packed with others, shifted): it is that one, most
    // likely. Errs towards a missed leak.
    if (n.kind > T_ADDR && (n.flags & TERM_HAS_HEAP)) {
        escape_term(w, s, x, ins);
        return true;
    }
    if (!a.index.id && !a.offset && term_width(t, a.base) == t->pointer_bits &&
        cond_decide(&w->conds, s->facts, term_eq(t, a.base, term_null(t))) == COND_TRUE)
        return true; // known to be null on this path
    TermKind kind = term_kind(t, a.base);
    if (kind == T_UNDEF || kind == T_LOOP) {
        if (kind == T_UNDEF) element_gone(w, s, a.base, ins);
        return true;
    }
    rest_note(w, a.base, REST_KEPT);
    ObjState o = obj_get(s, a.base);
    if (pmap_get(s->escaped, a.base.id, NULL)) o.flags |= OBJF_ESCAPED;
    if (kind == T_LOCAL || kind == T_GLOBAL || kind == T_FUNC) {
        misuse(w, s, RULE_INVALID_FREE, a.base, ins, by);
        return false;
    }
    const ObjInfo *info = kind == T_HEAP ? obj_info(w, a.base) : NULL;
    if (info && obj_failed(w, s, a.base)) return true;
    // A call that lends it and ends it has ended its owner.
    if (info && info->lent && o.status == OBJ_ALLOCATED && info->ins != ins) {
        misuse(w, s, RULE_INVALID_FREE, a.base, ins, by);
        return false;
    }
    if ((o.flags & OBJF_TAKEN) && o.status == OBJ_ALLOCATED) {
        misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        o.flags &= ~(uint32_t)OBJF_TAKEN;
    }
    if (o.status == OBJ_FREED) {
        if (!(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED)))
            misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        o.flags |= OBJF_ESCAPED;
        obj_set(w, s, a.base, o);
        return true;
    }
    if (info && o.status == OBJ_ALLOCATED && !(o.flags & (OBJF_FAMILY | OBJF_ESCAPED))) {
        const SpecFamily *f = spec_family(w->facts->specs, info->family);
        if (is_inside(w, s, &a) && !(f && (f->partial || f->arena)) && !info->embedded) {
            misuse(w, s, RULE_INVALID_FREE, a.base, ins, by);
        } else if (!spec_family_fits(w->facts->specs, info->family, family)) {
            misuse(w, s, RULE_MISMATCHED_FREE, a.base, ins, by);
        }
    }
    if (!info && a.index.id) {
        escape_term(w, s, x, ins);
        return true;
    }
    int64_t held = references(w, s, a.base);
    if (held > 1) {
        set_references(w, s, a.base, held - 1, ins);
        return true;
    }
    if (!info && a.offset) {
        // The block around what we know (container_of, a header): it goes by its own address.
        o = obj_get(s, x);
        if (o.status == OBJ_FREED && !(o.flags & (OBJF_MAYBE_FREED | OBJF_ESCAPED)))
            misuse(w, s, RULE_DOUBLE_FREE, a.base, ins, by);
        obj_set(w, s, x, (ObjState){OBJ_FREED, o.flags, ins, family});
        return true;
    }
    // A part of it: the rest is there still.
    const SpecFamily *of = spec_family(w->facts->specs, family);
    if (!info && of && of->partial) o.flags |= OBJF_MAYBE_FREED;
    story_add(w, s, STORY_FREE, ins, a.base, (Term){0}, false, by);
    if (deep || (of && of->deep)) escape_contents(w, s, a.base, ins, false);
    if (kind != T_HEAP) element_gone(w, s, a.base, ins);
    if (kind != T_HEAP && (s->flags & STATE_SYMBOLIC)) keep_elements(w, s, a.base, ins);
    obj_set(w, s, a.base,
            (ObjState){OBJ_FREED,
                  o.flags & (OBJF_FAMILY | OBJF_ESCAPED | OBJF_MAYBE_FREED | OBJF_DOUBTED), ins,
                  family});
    release_arena(w, s, a.base, ins);
    texts_gone(w, s, a.base, ins, by);
    // What only this object pointed to is cut off now (symbolic pointer analysis, rule 9).
    PMap before = s->mem;
    mem_forget(w, s, a.base);
    if (kind != T_HEAP) elements_keep_endings(w, s, a.base, before);
    return true;
}
