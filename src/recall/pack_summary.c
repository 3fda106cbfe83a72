// A summary as bytes and back. Numbers of functions and globals stand as their stable names, beside
// them a hash of what is seen of them, so that the hash of the bytes is one of the content.
#include "recall/recall.h"

// Whoever adds a field to what is kept adds it to the walk below, and then its size here.
_Static_assert(sizeof(Summary) == 88 && sizeof(Case) == 200 && sizeof(ObjInfo) == 88 &&
                   sizeof(Origin) == 40 && sizeof(TermNode) == 24 && sizeof(Range) == 64 &&
                   sizeof(Effect) == 24 && sizeof(Clauses) == 16 && sizeof(Clause) == 16 &&
                   sizeof(Move) == 8 && sizeof(Release) == 8,
               "the walk over a summary must know all its fields");

void pack_place(Pack *p, Pos *pos)
{
    const PackSummary *k = p->context;
    Place place = {0};
    if (!p->reading) place = stable_place(k->stable, *pos);
    pack_u64(p, &place.func);
    if (place.func) {
        pack_bytes(p, &place.line, sizeof place.line);
        if (p->reading && !p->bad && !stable_pos(k->stable, place, pos)) p->bad = true;
    } else {
        pack_text(p, &pos->path);
        pack_u32(p, &pos->line);
    }
    pack_u32(p, &pos->col);
}

// ---- terms

static bool has_operands(const TermNode *n)
{
    return n->kind >= T_ADDR || n->kind == T_INPUT;
}

static void pack_name(Pack *p, TermNode *n)
{
    const PackSummary *k = p->context;
    bool func = n->kind == T_FUNC;
    uint64_t name = 0, seen = 0, is = 0;
    if (!p->reading) {
        name = func ? stable_func(k->stable, (FuncId){n->a})
                    : stable_global(k->stable, (GlobalId){n->a});
        seen = func ? stable_func_seen(k->stable, (FuncId){n->a})
                    : stable_global_seen(k->stable, (GlobalId){n->a});
    }
    pack_u64(p, &name);
    pack_u64(p, &seen);
    if (!p->reading) return;
    n->a = func ? stable_find_func(k->stable, name).id : stable_find_global(k->stable, name).id;
    if (n->a)
        is = func ? stable_func_seen(k->stable, (FuncId){n->a})
                  : stable_global_seen(k->stable, (GlobalId){n->a});
    if (!n->a || is != seen) p->bad = true;
}

static void pack_node(Pack *p, TermNode *n, uint32_t id)
{
    bool named = n->kind == T_FUNC || n->kind == T_GLOBAL;
    TermNode raw = *n;
    if (!p->reading && named) raw.a = 0;
    pack_bytes(p, &raw, sizeof raw);
    if (p->reading) *n = raw;
    named = n->kind == T_FUNC || n->kind == T_GLOBAL;
    if (named) pack_name(p, n);
    if (!p->reading || p->bad) return;
    bool ok = n->kind < T_COUNT;
    if (has_operands(n)) ok = ok && n->a < id && n->b < id && (n->kind != T_ITE || n->c < id);
    if (n->kind == T_HAVOC) ok = ok && n->b < id;
    if (!ok) p->bad = true;
}

static void pack_term(Pack *p, const Summary *sum, Term *x)
{
    x->id = pack_enum(p, x->id, sum->terms.nodes.len);
}

// ---- cases

// Room for a list, when reading.
#define pack_list(p, list, count, least)                                                           \
    do {                                                                                           \
        (count) = pack_len((p), (count), (least));                                                 \
        if ((p)->reading) (list) = arena_alloc((p)->arena, (count) * sizeof *(list));              \
    } while (0)

static void pack_terms(Pack *p, const Summary *sum, Term **list, uint32_t *count)
{
    pack_list(p, *list, *count, 4);
    for (uint32_t i = 0; i < *count; i++) pack_term(p, sum, &(*list)[i]);
}

static void pack_family(Pack *p, FamilyId *f)
{
    const PackSummary *k = p->context;
    f->id = pack_enum(p, f->id, spec_family_count(k->specs) + 1);
}

static void pack_object(Pack *p, const Summary *sum, ObjInfo *o)
{
    pack_term(p, sum, &o->term);
    pack_family(p, &o->family);
    pack_text(p, &o->allocator);
    if (!o->allocator) o->allocator = "";
    pack_u32(p, &o->ins);
    pack_place(p, &o->pos);
    uint32_t depth = pack_len(p, o->origin ? o->origin->depth : 0, 20);
    const Origin *at = o->origin;
    const Origin **link = &o->origin;
    for (uint32_t i = 0; i < depth; i++) {
        Origin *own = p->reading ? arena_new_of(p->arena, Origin) : (Origin *)at;
        pack_place(p, &own->pos);
        pack_text(p, &own->callee);
        if (p->reading) {
            if (!own->callee) own->callee = "";
            own->depth = depth - i;
            *link = own;
            link = &own->inner;
        } else {
            at = at->inner;
        }
    }
    o->fail = (SpecFail)pack_enum(p, o->fail, SPEC_OR_VALUE + 1);
    pack_i64(p, &o->fail_value);
    pack_bool(p, &o->zeroed);
    pack_bool(p, &o->resource);
    pack_bool(p, &o->arena);
    pack_bool(p, &o->embedded);
    pack_bool(p, &o->deep);
    pack_bool(p, &o->several);
    pack_term(p, sum, &o->size);
    pack_text(p, &o->believed);
}

static void pack_range(Pack *p, Range *r)
{
    pack_i64(p, &r->smin);
    pack_i64(p, &r->smax);
    pack_u64(p, &r->umin);
    pack_u64(p, &r->umax);
    r->not_count = pack_enum(p, r->not_count, sizeof r->not / sizeof *r->not +1);
    for (uint32_t i = 0; i < r->not_count; i++) pack_i64(p, &r->not [i]);
}

static void pack_guard(Pack *p, const Summary *sum, Guard *g)
{
    pack_term(p, sum, &g->term);
    pack_range(p, &g->range);
}

static void pack_ways(Pack *p, const Summary *sum, Clauses *ways)
{
    pack_bool(p, &ways->unknown);
    pack_list(p, ways->at, ways->count, 4);
    for (uint32_t i = 0; i < ways->count; i++) {
        Clause *w = &ways->at[i];
        pack_list(p, w->guards, w->count, 40);
        for (uint32_t k = 0; k < w->count; k++) pack_guard(p, sum, &w->guards[k]);
    }
}

static void pack_case(Pack *p, const Summary *sum, Case *c)
{
    pack_list(p, c->guards, c->guard_count, 40);
    for (uint32_t i = 0; i < c->guard_count; i++) pack_guard(p, sum, &c->guards[i]);
    pack_ways(p, sum, &c->ways);
    pack_ways(p, sum, &c->inherited);
    pack_list(p, c->effects, c->effect_count, 20);
    for (uint32_t i = 0; i < c->effect_count; i++) {
        Effect *e = &c->effects[i];
        pack_term(p, sum, &e->base);
        pack_i64(p, &e->offset);
        pack_u32(p, &e->size);
        pack_term(p, sum, &e->value);
    }
    pack_list(p, c->frees, c->free_count, 8);
    for (uint32_t i = 0; i < c->free_count; i++) {
        pack_term(p, sum, &c->frees[i].base);
        pack_family(p, &c->frees[i].family);
    }
    pack_list(p, c->moves, c->move_count, 8);
    for (uint32_t i = 0; i < c->move_count; i++) {
        pack_term(p, sum, &c->moves[i].to);
        pack_term(p, sum, &c->moves[i].from);
    }
    pack_terms(p, sum, &c->havocs, &c->havoc_count);
    pack_terms(p, sum, &c->scribbles, &c->scribble_count);
    pack_terms(p, sum, &c->loose, &c->loose_count);
    pack_terms(p, sum, &c->escapes, &c->escape_count);
    pack_terms(p, sum, &c->touches, &c->touch_count);
    pack_terms(p, sum, &c->uses, &c->use_count);
    pack_list(p, c->objects, c->object_count, 60);
    for (uint32_t i = 0; i < c->object_count; i++) pack_object(p, sum, &c->objects[i]);
    pack_term(p, sum, &c->result);
    pack_bool(p, &c->thrown);
    pack_bool(p, &c->joined);
    pack_bool(p, &c->general);
    pack_bool(p, &c->declined);
    pack_u32(p, &c->guesses);
    pack_text(p, &c->why);
}

// When reading: `sum` is zeroed but for its function.
void pack_summary(Pack *p, Summary *sum)
{
    pack_u32(p, &sum->param_count);
    pack_bool(p, &sum->known);
    pack_bool(p, &sum->incomplete);
    pack_bool(p, &sum->recursive);
    pack_bool(p, &sum->trivial);
    pack_u32(p, &sum->terms.pointer_bits);
    pack_vec(p, &sum->terms.nodes, sizeof(TermNode));
    for (uint32_t i = 1; i < sum->terms.nodes.len && !p->bad; i++)
        pack_node(p, &sum->terms.nodes.at[i], i);
    pack_list(p, sum->cases, sum->case_count, 60);
    for (uint32_t i = 0; i < sum->case_count && !p->bad; i++) pack_case(p, sum, &sum->cases[i]);
    bool whole = sum->whole != NULL;
    pack_bool(p, &whole);
    if (p->reading && whole) sum->whole = arena_new_of(p->arena, Case);
    if (whole && !p->bad) pack_case(p, sum, sum->whole);
    if (p->bad) sum->whole = NULL;
    if (p->bad) sum->case_count = 0;
}

// Beside the summary, not part of it: callers do not look at it.
void pack_reached(Pack *p, Summary *sum)
{
    uint32_t words = bits_words(sum->reached.count);
    pack_list(p, sum->reached.words, words, 8);
    for (uint32_t i = 0; i < words; i++) pack_u64(p, &sum->reached.words[i]);
    sum->reached.count = words * 64;
}
