// The numbers that a global is given: its first value and those of all stores. A store of another
// global counts with the numbers for which a switch over that one leads to it: `switch (asked) case
// BINARY: kind = asked;`.
#include "facts/switches.h"

#include "facts/limits.h"
#include "unit/cfg.h"
#include "unit/types.h"

typedef struct {
    bool asked;   // some switch is over it
    bool unknown; // it may be any number
    bool several; // more than one function stores to it
    uint32_t by;  // the function that does
    uint32_t count;
    int64_t numbers[NUMBERS_KEPT];
} Given;

typedef struct {
    FuncId func;
    uint32_t ins;
    uint32_t to; // GlobalId
} Copy;

typedef struct {
    const Program *p;
    Given *given; // by GlobalId
    VEC(Copy) copies;
} NumberSearch;

static uint32_t global_of(const Program *p, uint32_t unit, const Unit *u, Ref r)
{
    if (!ref_is_const(r)) return 0;
    const Const *c = &u->consts.at[ref_index(r)];
    if (c->kind != CONST_GLOBAL || c->value) return 0;
    return program_global(p, unit, (UGlobalId){c->target}).id;
}

// The global whose value it is; 0: something else.
static uint32_t loaded_from(const Program *p, uint32_t unit, const Unit *u, const Func *f, Ref r)
{
    if (!ref_is_ins(r)) return 0;
    const Ins *in = func_ins(u, f, ref_index(r));
    return in->op == OP_LOAD ? global_of(p, unit, u, (Ref){in->a}) : 0;
}

static void give(Given *g, int64_t number)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->numbers[i] == number) return;
    if (g->count == NUMBERS_KEPT)
        g->unknown = true;
    else
        g->numbers[g->count++] = number;
}

static void give_first(NumberSearch *k, uint32_t g)
{
    const ProgGlobal *pg = &k->p->globals.at[g];
    const Unit *u = k->p->units[pg->unit];
    const Global *d = &u->globals.at[pg->global.id];
    TypeId type = plain_type(u, d->type);
    uint32_t kind = u->types.at[type.id].kind;
    const Const *first = d->init_count == 1
                             ? &u->consts.at[ref_index((Ref){u->inits.at[d->first_init].value})]
                             : NULL;
    if (kind != TYPE_INT && kind != TYPE_ENUM)
        k->given[g].unknown = true;
    else if (first && first->kind == CONST_INT && u->inits.at[d->first_init].offset == 0)
        give(&k->given[g], first->value);
    else if (!first && !d->init_count && (d->flags & GLOBAL_ZERO))
        give(&k->given[g], 0);
    else
        k->given[g].unknown = true;
}

static void look_through(NumberSearch *k, FuncId id)
{
    const Unit *u;
    const Func *f = program_body(k->p, id, &u);
    uint32_t unit = k->p->funcs.at[id.id].unit;
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op == OP_SWITCH) k->given[loaded_from(k->p, unit, u, f, (Ref){in->a})].asked = true;
        uint32_t to = in->op == OP_STORE ? global_of(k->p, unit, u, (Ref){in->a}) : 0;
        if (!to) continue;
        Given *g = &k->given[to];
        Ref value = {in->b};
        g->several |= g->by && g->by != id.id;
        g->by = id.id;
        if (ref_is_const(value) && u->consts.at[ref_index(value)].kind == CONST_INT)
            give(g, u->consts.at[ref_index(value)].value);
        else if (loaded_from(k->p, unit, u, f, value))
            vec_push(&k->copies, ((Copy){id, i, to}));
        else
            g->unknown = true;
    }
}

static bool stores_to(const Program *p, uint32_t unit, const Unit *u, const Func *f, uint32_t from,
                      uint32_t end, uint32_t global)
{
    for (uint32_t i = from; i < end; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op == OP_STORE && global_of(p, unit, u, (Ref){in->a}) == global) return true;
    }
    return false;
}

// The only block before this one; UINT32_MAX: there are several.
static uint32_t only_before(const Cfg *c, uint32_t block)
{
    EdgeRange r = c->pred[block];
    return r.count == 1 ? c->edges[r.first] : UINT32_MAX;
}

static void give_cases(Given *g, const Unit *u, const Func *f, const Ins *choice, uint32_t block)
{
    if (*func_extra(u, f, choice->b + 2 * choice->c) == block) g->unknown = true;
    for (uint32_t n = 0; n < choice->c; n++) {
        const uint32_t *pair = func_extra(u, f, choice->b + 2 * n);
        if (pair[1] != block) continue;
        const Const *c =
            ref_is_const((Ref){pair[0]}) ? &u->consts.at[ref_index((Ref){pair[0]})] : NULL;
        if (c && c->kind == CONST_INT)
            give(g, c->value);
        else
            g->unknown = true;
    }
}

// The cases by which the copied value was chosen. That no callee changes it meanwhile is known
// where all its stores are in this function.
static void give_copy(NumberSearch *k, const Copy *copy, const Written *written)
{
    const Unit *u;
    const Func *f = program_body(k->p, copy->func, &u);
    uint32_t unit = k->p->funcs.at[copy->func.id].unit;
    Ref value = {func_ins(u, f, copy->ins)->b};
    Given *g = &k->given[copy->to];
    uint32_t from = loaded_from(k->p, unit, u, f, value), end = ref_index(value);
    const Given *source = &k->given[from];
    bool here = !source->several && (!source->by || source->by == copy->func.id);
    if (!here || bits_has(&written->whole, from) || bits_has(&written->reached, from)) {
        g->unknown = true;
        return;
    }
    Arena *scratch = arena_new("numbers");
    const Cfg *c = cfg_build(scratch, u, f);
    uint32_t block = func_block_of(u, f, end);
    bool found = false;
    for (int back = 0; back < BLOCKS_BACK && !found; back++) {
        if (stores_to(k->p, unit, u, f, func_block(u, f, block)->first, end, from)) break;
        uint32_t before = only_before(c, block);
        if (before == UINT32_MAX) break;
        const Block *b = func_block(u, f, before);
        end = b->first + b->count;
        const Ins *choice = func_ins(u, f, end - 1);
        if (choice->op == OP_SWITCH && loaded_from(k->p, unit, u, f, (Ref){choice->a}) == from &&
            !stores_to(k->p, unit, u, f, ref_index((Ref){choice->a}), end, from)) {
            give_cases(g, u, f, choice, block);
            found = true;
        }
        block = before;
    }
    if (!found) g->unknown = true;
    arena_free(scratch);
}

static bool has_cases_for_all(const Unit *u, const Func *f, const Ins *choice, const Given *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        bool has = false;
        for (uint32_t n = 0; n < choice->c && !has; n++) {
            Ref r = {func_extra(u, f, choice->b + 2 * n)[0]};
            const Const *c = ref_is_const(r) ? &u->consts.at[ref_index(r)] : NULL;
            has = c && c->kind == CONST_INT && c->value == g->numbers[i];
        }
        if (!has) return false;
    }
    return true;
}

void switches_find(Map *idle, const Program *p, const Written *written, const Bits *ours)
{
    Arena *scratch = arena_new("numbers");
    NumberSearch k = {.p = p, .given = arena_array_of(scratch, Given, p->globals.len)};
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (program_has_code(p, (FuncId){f})) look_through(&k, (FuncId){f});
    k.given[0] = (Given){.unknown = true};
    for (uint32_t g = 1; g < p->globals.len; g++)
        if (!k.given[g].asked || !bits_has(ours, g) || bits_has(&written->whole, g) ||
            bits_has(&written->reached, g))
            k.given[g].unknown = true;
        else
            give_first(&k, g);
    vec_each (i, &k.copies)
        if (!k.given[k.copies.at[i].to].unknown) give_copy(&k, &k.copies.at[i], written);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f})) continue;
        const Unit *u;
        const Func *fn = program_body(p, (FuncId){f}, &u);
        for (uint32_t b = 0; b < fn->block_count; b++) {
            const Block *block = func_block(u, fn, b);
            uint32_t at = block->first + block->count - 1;
            const Ins *in = func_ins(u, fn, at);
            if (in->op != OP_SWITCH) continue;
            uint32_t from = loaded_from(p, p->funcs.at[f].unit, u, fn, (Ref){in->a});
            if (from && !k.given[from].unknown && has_cases_for_all(u, fn, in, &k.given[from]))
                map_set(idle, map_pair(f, at), 1);
        }
    }
    vec_free(&k.copies);
    arena_free(scratch);
}
