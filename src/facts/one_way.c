// Which global variables are never put back to zero: flags that are raised once, tables that are made at
// their first use.
//
//     static int ready; static FILE *log;
//     if (!ready) { ready = 1; log = fopen(name, "w"); }
//
// Every store to such a variable puts something there that is not zero, or is made where the variable has just been
// found to be zero (the store then fails to raise it at most). All stores name the variable; none goes by a pointer.
// Whoever has seen it raised finds it raised, whatever happened in between: paths that were joined, rounds of a loop,
// unknown code.
//
// Errs towards a missed finding: between the test and a store of null somebody else may have raised it.
#include "facts/facts_int.h"
#include "facts/limits.h"
#include "facts/not_null.h"
#include "unit/types.h"

typedef struct {
    NotNull known;
    const Program *p;
    Bits *one_way;
    Arena *scratch;
    View view;
    FuncId viewed; // the function that `view` is of
} OneWay;

// A number or a pointer as a whole.
static bool is_scalar(const Program *p, GlobalId g, uint64_t *bytes)
{
    const ProgGlobal *pg = &p->globals.at[g.id];
    const Unit *u = p->units[pg->unit];
    const Type *t = &u->types.at[plain_type(u, u->globals.at[pg->global.id].type).id];
    *bytes = t->size;
    return t->kind == TYPE_INT || t->kind == TYPE_ENUM || t->kind == TYPE_BOOL || t->kind == TYPE_POINTER;
}

static GlobalId named(const OneWay *k, uint32_t unit, const Unit *u, Ref address, int64_t *offset)
{
    if (!ref_is_const(address)) return (GlobalId){0};
    const Const *c = &u->consts.at[ref_index(address)];
    if (c->kind != CONST_GLOBAL) return (GlobalId){0};
    *offset = c->value;
    return program_global(k->p, unit, (UGlobalId){c->target});
}

// The branch from there to the block is the one on which the variable is zero.
static bool is_found_zero(const OneWay *k, GlobalId g, uint32_t from, uint32_t to)
{
    const View *v = &k->view;
    const Block *b = func_block(v->u, v->f, from);
    const Ins *last = func_ins(v->u, v->f, b->first + b->count - 1);
    bool side;
    int64_t offset;
    if (last->op != OP_BRANCH || last->b == last->c) return false;
    const Ins *load = view_ins(v, view_asked(v, (Ref){last->a}, &side));
    return load && load->op == OP_LOAD && (side ? last->c : last->b) == to &&
           named(k, v->unit, v->u, (Ref){load->a}, &offset).id == g.id && offset == 0;
}

static bool is_tested_before(OneWay *k, GlobalId g, uint32_t at)
{
    const View *v = &k->view;
    for (uint32_t b = func_block_of(v->u, v->f, at), up; (up = v->cfg->idom[b]) != BLOCK_NONE; b = up) {
        if (!not_null_spend(&k->known, 1)) return false;
        if (v->cfg->pred[b].count == 1 && is_found_zero(k, g, up, b)) return true;
    }
    return false;
}

static bool raises(OneWay *k, FuncId f, const Unit *u, uint32_t at, GlobalId g, Ref value)
{
    if (ref_is_const(value)) {
        const Const *c = &u->consts.at[ref_index(value)];
        if (c->kind == CONST_GLOBAL || c->kind == CONST_FUNC || (c->kind == CONST_INT && c->value)) return true;
    }
    if (k->viewed.id != f.id) {
        arena_reset(k->scratch);
        k->known.left = LOOKS_START;
        k->view = view_of(&k->known, k->scratch, f, 0);
        k->viewed = f;
    }
    return is_tested_before(k, g, at) || not_null(&k->known, &k->view, value, at);
}

static void look_through(OneWay *k, FuncId f)
{
    const Unit *u;
    const Func *body = program_body(k->p, f, &u);
    uint32_t unit = k->p->funcs.at[f.id].unit;
    for (uint32_t i = 0; i < body->ins_count; i++) {
        const Ins *in = func_ins(u, body, i);
        if (in->op != OP_STORE) continue;
        int64_t offset;
        GlobalId g = named(k, unit, u, (Ref){in->a}, &offset);
        if (!g.id || !bits_has(k->one_way, g.id)) continue;
        uint64_t bytes;
        if (offset != 0 || !is_scalar(k->p, g, &bytes) || mtype_bytes(in->type) != bytes ||
            !raises(k, f, u, i, g, (Ref){in->b}))
            bits_drop(k->one_way, g.id);
    }
}

void one_way_find(Facts *f, Arena *a, const Bits *ours)
{
    const Program *p = f->program;
    f->one_way = bits_new(a, p->globals.len);
    bool any = false;
    uint64_t bytes;
    for (uint32_t g = 1; f->points && g < p->globals.len; g++) {
        if (!bits_has(ours, g) || bits_has(&f->written.whole, g) || bits_has(&f->written.reached, g) ||
            !map_get(&f->written.fields, map_pair(g, 0)) || !is_scalar(p, (GlobalId){g}, &bytes))
            continue;
        bits_add(&f->one_way, g);
        any = true;
    }
    if (!any) return;
    OneWay k = {.known = {.facts = f}, .p = p, .one_way = &f->one_way, .scratch = arena_new("one way")};
    for (uint32_t i = 1; i < p->funcs.len; i++)
        if (program_has_code(p, (FuncId){i})) look_through(&k, (FuncId){i});
    not_null_free(&k.known);
    arena_free(k.scratch);
}
