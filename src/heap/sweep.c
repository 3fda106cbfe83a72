// What a path cannot name any more: memory that was reached through a pointer of an earlier round
// of a loop, or through one that unknown code has replaced since. Nothing that happens later asks
// for it and no caller sees it, so that it only keeps states apart and makes them costly to join.
//
// A base has a name when some value mentions it, or when it can be read again from memory that has
// a name: INPUT(b, 8) while b holds what it held at first, HAVOC(i, b, 8) while what i wrote to b
// is there. What the caller knows by itself (parameters, globals and what they lead to) always
// has one.
#include "heap/heap.h"

#include "heap/limits.h"

// Not asked yet; no value mentions it, and it cannot be read again either; it has a name.
enum { NAME_OPEN, NAME_NONE, NAME_READ, NAME_SAID };

typedef struct {
    Work *w;
    State *s;
    uint8_t *named; // by base: NAME_*
    U32s asked;     // bases that are not NAME_OPEN
} Sweep;

static void set_name(Sweep *k, Term base, uint8_t name)
{
    if (k->named[base.id] == NAME_OPEN) vec_push(&k->asked, base.id);
    k->named[base.id] = name;
}

static void name_base(void *context, Term base)
{
    set_name(context, base, NAME_SAID);
}

static bool name_value(void *context, uint64_t key, uint64_t value)
{
    Sweep *k = context;
    (void)key;
    term_each_base(&k->w->terms, cell_term(value), name_base, k);
    return true;
}

// An object that others have keeps what is stored in it.
static bool name_cell(void *context, uint64_t key, uint64_t value)
{
    Sweep *k = context;
    Term base = term_address(&k->w->terms, cell_base(key)).base;
    if (term_kind(&k->w->terms, base) == T_HEAP) name_base(k, base);
    return name_value(context, key, value);
}

// What moved to a place unseen is read from its old one.
static bool name_source(void *context, uint64_t key, uint64_t word)
{
    (void)key;
    if (content_kind(word) == CONTENT_COPY) name_base(context, content_source(word));
    return true;
}

static bool is_done(const Work *w, uint64_t key, uint64_t word)
{
    if (term_kind(&w->terms, (Term){(uint32_t)key}) != T_HEAP) return false;
    return (word & 0xff) != OBJ_ALLOCATED || (word >> 8 & (OBJF_ESCAPED | OBJF_FAMILY));
}

static bool has_name(Sweep *k, Term base);

// Whether a load from the base can still give what stood there at first, or what the instruction
// wrote in that iteration.
static bool still_holds(Sweep *k, Term home, int64_t offset, bool first, uint32_t ins,
                        uint32_t iter)
{
    Address at = term_address(&k->w->terms, home);
    if (!at.base.id || !has_name(k, at.base)) return false;
    uint64_t word;
    bool written = content_at(k->s, at.base, at.index.id ? INT32_MAX : offset, &word) &&
                   content_kind(word) >= CONTENT_HAVOC && content_kind(word) != CONTENT_COPY;
    if (first) return !written;
    return written && (uint32_t)(word >> 3 & 0x1fffffff) == ins && (uint32_t)(word >> 32) == iter;
}

static bool find_name(Sweep *k, Term base)
{
    const TermNode *n = term_node(&k->w->terms, base);
    if (!(n->flags & TERM_LOCAL_ONLY)) return true;
    switch ((TermKind)n->kind) {
    case T_HEAP:
        return !is_done(k->w, base.id, (uint64_t)obj_get(k->s, base).status);
    case T_INPUT:
        return still_holds(k, (Term){n->a}, n->b ? INT32_MAX : n->value, true, 0, 0);
    case T_HAVOC:
        return still_holds(k, (Term){n->b}, n->value, false, n->a, n->c);
    case T_UNDEF:
        return n->c != 0 || still_holds(k, (Term){n->a}, n->value, true, 0, 0);
    case T_RESULT:
    case T_MERGE:
    case T_LOOP:
        return false;
    default:
        return true;
    }
}

static bool has_name(Sweep *k, Term base)
{
    if (k->named[base.id] != NAME_OPEN) return k->named[base.id] != NAME_NONE;
    bool found = find_name(k, base);
    set_name(k, base, found ? NAME_READ : NAME_NONE);
    return found;
}

static bool sweep_object(void *context, uint64_t key, uint64_t word)
{
    Sweep *k = context;
    if (is_done(k->w, key, word) && k->named[key] == NAME_OPEN) {
        k->s->objs = pmap_drop(k->w->arena, k->s->objs, key);
        k->s->sizes = pmap_drop(k->w->arena, k->s->sizes, key);
    }
    return true;
}

static bool sweep_content(void *context, uint64_t key, uint64_t word)
{
    Sweep *k = context;
    (void)word;
    if (!has_name(k, content_base(key)))
        k->s->contents = pmap_drop(k->w->arena, k->s->contents, key);
    return true;
}

// Plain data goes. A pointer in memory without a name stays where it is: what it points to is in
// somebody's hands. So does a number that may be a descriptor which the caller knows.
static bool sweep_cell(void *context, uint64_t key, uint64_t value)
{
    Sweep *k = context;
    const Terms *t = &k->w->terms;
    const TermNode *x = term_node(t, cell_term(value));
    if ((x->flags & TERM_HAS_BASE) || x->kind == T_PARAM || x->kind == T_INPUT) return true;
    Term base = term_address(t, cell_base(key)).base;
    TermKind kind = term_kind(t, base);
    if (kind == T_HEAP || kind == T_LOCAL || has_name(k, base)) return true;
    k->s->mem = pmap_drop(k->w->arena, k->s->mem, key);
    return true;
}

// That unknown code may have kept a pointer says nothing once nobody can name it.
static bool sweep_escaped(void *context, uint64_t key, uint64_t word)
{
    Sweep *k = context;
    (void)word;
    if (!has_name(k, (Term){(uint32_t)key}))
        k->s->escaped = pmap_drop(k->w->arena, k->s->escaped, key);
    return true;
}

static bool find_done(void *context, uint64_t key, uint64_t word)
{
    return !is_done(context, key, word);
}

void sweep(Work *w, State *s, bool objects)
{
    uint32_t size = pmap_size(s->contents) + pmap_size(s->mem) + pmap_size(s->escaped);
    bool grown = size > s->swept + s->swept / 2 + SWEPT_SLACK;
    if (objects) looked_at(w, pmap_size(s->objs));
    if (!grown && (!objects || pmap_each(s->objs, find_done, w))) return;
    if (w->named.len < w->terms.nodes.len) vec_extend(&w->named, w->terms.nodes.len - w->named.len);
    Sweep k = {.w = w, .s = s, .named = w->named.at};
    looked_at(w, size + pmap_size(s->env) + pmap_size(s->vars));
    pmap_each(s->env, name_value, &k);
    pmap_each(s->vars, name_value, &k);
    pmap_each(s->mem, name_cell, &k);
    PMap objs = s->objs, contents = s->contents, mem = s->mem, escaped = s->escaped;
    if (objects) pmap_each(objs, sweep_object, &k);
    if (grown) {
        pmap_each(contents, name_source, &k);
        pmap_each(contents, sweep_content, &k);
        pmap_each(mem, sweep_cell, &k);
        pmap_each(escaped, sweep_escaped, &k);
        s->swept = pmap_size(s->contents) + pmap_size(s->mem) + pmap_size(s->escaped);
    }
    vec_each (i, &k.asked) k.named[k.asked.at[i]] = NAME_OPEN;
    vec_free(&k.asked);
}
