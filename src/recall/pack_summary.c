// A summary as bytes and back. Numbers of functions and globals are written as their stable names, beside
// them a hash of what is seen of them, so that the hash of the bytes is one of the content.
#include "recall/recall.h"

#include "finding/pack.h"

void pack_place(Pack *p, Pos *pos)
{
    const PackSummary *k = p->context;
    StablePlace place = {0};
    if (!p->reading) place = stable_place(k->stable, *pos);
    pack_u64(p, &place.func);
    if (place.func) {
        pack_u32(p, &place.in.calls);
        pack_u32(p, &place.in.branches);
        pack_bytes(p, &place.in.line, sizeof place.in.line);
        if (p->reading && !p->bad && !stable_pos(k->stable, place, pos)) p->bad = true;
    } else {
        pack_text(p, &pos->path);
        pack_u32(p, &pos->line);
    }
    pack_u32(p, &pos->col);
}

// ---- terms

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

static void pack_node(Pack *p, Summary *sum, uint32_t id)
{
    TermNode *n = &sum->terms.nodes.at[id];
    bool named = n->kind == T_FUNC || n->kind == T_GLOBAL;
    TermNode raw = *n;
    if (!p->reading && named) raw.a = 0;
    pack_bytes(p, &raw, sizeof raw);
    if (p->reading) *n = raw;
    named = n->kind == T_FUNC || n->kind == T_GLOBAL;
    if (named) pack_name(p, n);
    if (p->reading && !p->bad && !term_is_sound(&sum->terms, id)) p->bad = true;
}

static void pack_term(Pack *p, const Summary *sum, Term *x)
{
    x->id = pack_enum(p, x->id, sum->terms.nodes.len);
}

// One that must be there.
static void pack_some_term(Pack *p, const Summary *sum, Term *x)
{
    pack_term(p, sum, x);
    if (!x->id) p->bad = true;
}

// ---- cases

// Room for a list, when reading.
#define pack_list(p, list, count, least)                                                           \
    do {                                                                                           \
        (count) = pack_len((p), (count), (least));                                                 \
        if ((p)->reading) (list) = arena_alloc((p)->arena, (count) * sizeof *(list));              \
    } while (0)

static void pack_family(Pack *p, FamilyId *f)
{
    const PackSummary *k = p->context;
    f->id = pack_enum(p, f->id, spec_family_count(k->specs) + 1);
}

static void pack_origin(Pack *p, const Origin **origin)
{
    uint32_t depth = pack_len(p, *origin ? (*origin)->depth : 0, 20);
    const Origin *at = *origin;
    const Origin **link = origin;
    for (uint32_t i = 0; i < depth; i++) {
        Origin *own = p->reading ? arena_new_of(p->arena, Origin) : (Origin *)at;
        pack_place(p, &own->pos);
        pack_text(p, &own->callee);
        pack_text(p, &own->when);
        pack_place(p, &own->test);
        pack_bool(p, &own->truth);
        pack_bool(p, &own->fails);
        if (p->reading) {
            if (!own->callee) own->callee = "";
            own->depth = depth - i;
            *link = own;
            link = &own->inner;
        } else {
            at = at->inner;
        }
    }
}

static void pack_ObjInfo(Pack *p, const Summary *sum, ObjInfo *o)
{
#define TERM(name)   pack_term(p, sum, &o->name);
#define FAMILY(name) pack_family(p, &o->name);
#define TEXT(name)   pack_text(p, &o->name);
#define NUMBER(name) pack_u32(p, &o->name);
#define PLACE(name)  pack_place(p, &o->name);
#define ORIGIN(name) pack_origin(p, &o->name);
#define FAIL(name)   o->name = (SpecFail)pack_enum(p, o->name, SPEC_OR_VALUE + 1);
#define VALUE(name)  pack_i64(p, &o->name);
#define FLAG(name)   pack_bool(p, &o->name);
#define TEMPORARY(name)
#include "summary/object.def"
#include "summary/rows_end.h"
    if (!o->allocator) o->allocator = "";
    if (o->doubt >= DOUBT_COUNT) p->bad = true, o->doubt = 0;
    if (!p->bad && (!o->term.id || term_kind(&sum->terms, o->term) != T_HEAP)) p->bad = true;
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

static void pack_Guard(Pack *p, const Summary *sum, Guard *g)
{
    pack_some_term(p, sum, &g->term);
    pack_range(p, &g->range);
    if (p->reading && !p->bad && !range_fits(&g->range, term_width(&sum->terms, g->term)))
        p->bad = true;
}

static void pack_ways(Pack *p, const Summary *sum, Clauses *ways)
{
    pack_bool(p, &ways->unknown);
    pack_list(p, ways->at, ways->count, 4);
    for (uint32_t i = 0; i < ways->count; i++) {
        Clause *w = &ways->at[i];
        pack_list(p, w->guards, w->count, 40);
        for (uint32_t k = 0; k < w->count; k++) pack_Guard(p, sum, &w->guards[k]);
    }
}

static void pack_Term(Pack *p, const Summary *sum, Term *x)
{
    pack_some_term(p, sum, x);
}

static void pack_Effect(Pack *p, const Summary *sum, Effect *e)
{
    pack_some_term(p, sum, &e->base);
    pack_i64(p, &e->offset);
    pack_u32(p, &e->size);
    pack_some_term(p, sum, &e->value);
}

static void pack_Release(Pack *p, const Summary *sum, Release *r)
{
    pack_some_term(p, sum, &r->base);
    pack_family(p, &r->family);
    pack_origin(p, &r->where);
}

static void pack_Declined(Pack *p, const Summary *sum, Declined *d)
{
    (void)sum;
    uint32_t part = (uint32_t)d->part;
    pack_u32(p, &d->param);
    pack_u32(p, &part);
    d->part = (int32_t)part;
    pack_origin(p, &d->by);
    pack_bool(p, &d->given);
    if (!d->by) p->bad = true;
}

static void pack_Move(Pack *p, const Summary *sum, Move *m)
{
    pack_some_term(p, sum, &m->to);
    pack_some_term(p, sum, &m->from);
}

static void pack_case(Pack *p, const Summary *sum, Case *c)
{
#define LIST(type, name, count, least, kind, join, word)                                           \
    pack_list(p, c->name, c->count, least);                                                        \
    for (uint32_t i = 0; i < c->count; i++) pack_##type(p, sum, &c->name[i]);
#define WAYS(name, join)   pack_ways(p, sum, &c->name);
#define TERM(name, join)   pack_term(p, sum, &c->name);
#define FLAG(name, join)   pack_bool(p, &c->name);
#define NUMBER(name, join) pack_u32(p, &c->name);
#define TEXT(name, join)   pack_text(p, &c->name);
#define DOUBTS(name)                                                                               \
    for (uint32_t i = 0; i < DOUBT_WORDS; i++) pack_u64(p, &c->name.rows.words[i]);
#include "summary/case.def"
#include "summary/rows_end.h"
}

static void pack_func(Pack *p, FuncId *f)
{
    const PackSummary *k = p->context;
    uint64_t name = p->reading ? 0 : stable_func(k->stable, *f);
    pack_u64(p, &name);
    if (!p->reading) return;
    *f = stable_find_func(k->stable, name);
    if (!f->id || !program_has_code(k->program, *f)) p->bad = true;
}

static void pack_error(Pack *p, const Summary *sum, ErrorCase *e)
{
#define LIST(type, name, count, least, kind, join, word)                                           \
    pack_list(p, e->name, e->count, least);                                                        \
    for (uint32_t i = 0; i < e->count; i++) pack_##type(p, sum, &e->name[i]);
#define FUNC(name, join)   pack_func(p, &e->name);
#define NUMBER(name, join) pack_u32(p, &e->name);
#define FLAG(name, join)   pack_bool(p, &e->name);
#include "summary/error.def"
#include "summary/rows_end.h"
}

// When reading: `sum` is zeroed but for its function.
void pack_summary(Pack *p, Summary *sum)
{
    const PackSummary *k = p->context;
    pack_u32(p, &sum->param_count);
    pack_bool(p, &sum->known);
    pack_bool(p, &sum->stuck);
    pack_bool(p, &sum->incomplete);
    pack_bool(p, &sum->recursive);
    pack_bool(p, &sum->deeper);
    pack_bool(p, &sum->trivial);
    pack_u32(p, &sum->rest);
    pack_u32(p, &sum->borrows);
    pack_u32(p, &sum->spares);
    pack_u32(p, &sum->leaves);
    pack_u32(p, &sum->terms.pointer_bits);
    const Unit *u;
    const Func *f = program_decl(k->program, sum->func, &u);
    // What is the function's own, not the evaluation's.
    if (sum->param_count != f->param_count || sum->terms.pointer_bits != u->pointer_bytes * 8)
        p->bad = true;
    // Entry 0 is none and not written; the table of a summary without cases has no other.
    uint32_t nodes = pack_len(p, sum->terms.nodes.len ? sum->terms.nodes.len - 1 : 0, sizeof(TermNode));
    if (p->reading) vec_extend(&sum->terms.nodes, nodes + 1);
    for (uint32_t i = 1; i < sum->terms.nodes.len && !p->bad; i++) pack_node(p, sum, i);
    pack_list(p, sum->cases, sum->case_count, 60);
    for (uint32_t i = 0; i < sum->case_count && !p->bad; i++) pack_case(p, sum, &sum->cases[i]);
    pack_list(p, sum->few, sum->few_count, 60);
    for (uint32_t i = 0; i < sum->few_count && !p->bad; i++) pack_case(p, sum, &sum->few[i]);
    pack_list(p, sum->errors, sum->error_count, 20);
    for (uint32_t i = 0; i < sum->error_count && !p->bad; i++) pack_error(p, sum, &sum->errors[i]);
    if (p->bad) sum->case_count = sum->few_count = sum->error_count = 0;
}

static void pack_error_call(Pack *p, Summary *sum, ErrorCall *c)
{
    const PackSummary *k = p->context;
    pack_u32(p, &c->ins);
    pack_func(p, &c->callee);
    pack_u32(p, &c->error);
    c->fate = (ErrorFate)pack_enum(p, c->fate, FATE_COUNT);
    pack_u32(p, &c->own);
    pack_bool(p, &c->null);
    pack_list(p, c->inputs, c->input_count, 20);
    for (uint32_t i = 0; i < c->input_count; i++) pack_input(p, &c->inputs[i]);
    pack_list(p, c->choices, c->choice_count, 9);
    for (uint32_t i = 0; i < c->choice_count; i++) pack_choice(p, &c->choices[i]);
    pack_bool(p, &c->no_model);
    const Func *f = program_decl(k->program, sum->func, NULL);
    if (c->ins >= f->ins_count || (c->fate == FATE_OPEN && c->own >= sum->error_count))
        p->bad = true;
}

static void pack_error_calls(Pack *p, Summary *sum)
{
    pack_list(p, sum->error_calls, sum->error_call_count, 30);
    for (uint32_t i = 0; i < sum->error_call_count && !p->bad; i++)
        pack_error_call(p, sum, &sum->error_calls[i]);
    if (p->bad) sum->error_call_count = 0;
}

// Beside the summary, not part of it: callers do not look at it.
static void pack_reached(Pack *p, Summary *sum)
{
    const PackSummary *k = p->context;
    uint32_t words = bits_words(sum->reached.count);
    pack_list(p, sum->reached.words, words, 8);
    for (uint32_t i = 0; i < words; i++) pack_u64(p, &sum->reached.words[i]);
    if (!p->reading) return;
    const Func *f = program_decl(k->program, sum->func, NULL);
    if (words != bits_words(f->block_count)) p->bad = true;
    sum->reached.count = words * 64;
}

void pack_closed(Pack *p, Summary *sum)
{
    pack_bool(p, &sum->known);
    pack_bool(p, &sum->stuck);
    pack_bool(p, &sum->incomplete);
    pack_bool(p, &sum->noisy);
    pack_list(p, sum->error_marks, sum->error_count, 7);
    for (uint32_t i = 0; i < sum->error_count; i++) {
        ErrorMark *m = &sum->error_marks[i];
        pack_u32(p, &m->number);
        pack_bool(p, &m->here);
        pack_bool(p, &m->null);
        pack_bool(p, &m->of_null);
    }
    pack_reached(p, sum);
    pack_error_calls(p, sum);
    if (p->bad) sum->error_count = 0;
}
