// What a program does before the loop in which it waits, and after it.
//
// A program that waits for requests, events or signals does so in one loop, in main or in a function
// that main leads to: a loop with a call that may wait (a library function with `waits` in its
// specification, or a function that may call one), or a call of a library's main loop; or one that sleeps
// between its rounds and that nothing but a global variable ends. What lies outside
// of all such loops runs once for each process, however often the loops around it go round: over the
// lines of a file of settings, the entries of a folder. So a place is part of the start-up, or of the
// end, when no loop around it waits and every call of its function is at such a place; and main comes
// from it to a loop that waits, or to it from there. A program that never waits has no start-up: its
// loops go over its input.
//
// Errs towards "often" where a call through a pointer may wait or unseen code may call the function, and
// towards "once" where the loop that waits is not the one that the program lives in.
#include "impact/impact_int.h"

#include <string.h>

enum { ASKED = 1, YES, NO };

struct Waiting {
    Bits may_wait;  // by FuncId
    Bits may_sleep; // by FuncId: or at least sleep
    Bits serves;   // by FuncId: waits in a loop, in itself or in a callee
    Bits looked;   // by FuncId: `loops` is there
    Bits *loops;   // by FuncId: by loop (index + 1): waits
    uint8_t *known; // by FuncId: whether it runs outside of all loops that wait
    Bits near;     // by block of main: comes to a loop that waits or from there
    bool has_near;
};

// All callers, direct and through pointers, of the functions in the list are added to it and to `into`.
static void add_callers(Frequency *o, Bits *into, U32s *work)
{
    const Program *p = o->facts->program;
    while (work->len) {
        FuncId f = {vec_pop(work)};
        ProgRange r = p->funcs.at[f.id].callers;
        for (uint32_t i = 0; i < r.count; i++) {
            FuncId by = p->callers.at[r.first + i];
            if (bits_add(into, by.id)) vec_push(work, by.id);
        }
        CallOf c;
        for (uint32_t n = 0; call_through(o, f, n, &c); n++)
            if (bits_add(into, c.by.id)) vec_push(work, c.by.id);
    }
}

static SpecWaits waits_itself(const Frequency *o, FuncId f)
{
    const SpecFunc *spec = facts_spec(o->facts, f);
    return spec ? spec->waits : SPEC_WAITS_NOT;
}

// Whether the call may come to a function of the set.
static bool call_is_in(const Frequency *o, FuncId by, const CallSite *c, const Bits *set,
                       U32s *targets)
{
    if (c->callee.id) return bits_has(set, c->callee.id);
    targets->len = 0;
    points_callees(o->facts->points, by, c->ins, targets);
    vec_each (i, targets)
        if (bits_has(set, targets->at[i])) return true;
    return false;
}

static bool is_global_number(const Shape *s, Ref r, uint32_t depth)
{
    if (!ref_is_ins(r) || !depth) return false;
    const Ins *in = func_ins(s->unit, s->func, ref_index(r));
    if (in->op == OP_LOAD)
        return ref_is_const((Ref){in->a}) && s->unit->consts.at[ref_index((Ref){in->a})].kind == CONST_GLOBAL;
    return op_form((Op)in->op) == FORM_AB ? is_global_number(s, (Ref){in->a}, depth - 1) ||
                                                is_global_number(s, (Ref){in->b}, depth - 1)
                                          : (in->op == OP_SEXT || in->op == OP_ZEXT || in->op == OP_TRUNC) &&
                                                is_global_number(s, (Ref){in->a}, depth - 1);
}

// A loop that a program sleeps in between its rounds: nothing ends it, or a global variable does, which a handler of
// signals may set. One that waits until something has happened ends with that.
static bool is_lived_in(const Shape *s, uint32_t loop)
{
    bool ends = false;
    for (uint32_t k = 0; k < s->cfg->order_count; k++) {
        uint32_t block = s->cfg->order[k];
        if (!options_in_loop(s->cfg, loop, block)) continue;
        EdgeRange r = s->cfg->succ[block];
        const Block *b = func_block(s->unit, s->func, block);
        const Ins *end = func_ins(s->unit, s->func, b->first + b->count - 1);
        for (uint32_t i = 0; i < r.count; i++) {
            if (options_in_loop(s->cfg, loop, s->cfg->edges[r.first + i])) continue;
            if (end->op == OP_BRANCH && is_global_number(s, (Ref){end->a}, CHAIN_DEEP)) return true;
            ends = true;
        }
    }
    return !ends;
}

// Which loops of the function wait.
static const Bits *loops_of(Frequency *o, Waiting *w, FuncId f)
{
    if (!bits_add(&w->looked, f.id)) return &w->loops[f.id];
    const Program *p = o->facts->program;
    Shape *s = frequency_shape(o, f);
    Bits *loops = &w->loops[f.id];
    U32s targets = {0};
    *loops = bits_new(o->arena, s->cfg->loop_count + 1);
    ProgRange r = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++) {
        const CallSite *c = &p->calls.at[r.first + i];
        uint32_t l = s->cfg->loop_of[func_block_of(s->unit, s->func, c->ins)];
        if (!l || !call_is_in(o, f, c, &w->may_sleep, &targets)) continue;
        bool sleeps = !call_is_in(o, f, c, &w->may_wait, &targets);
        for (; l; l = s->cfg->loops[l - 1].parent)
            if (!sleeps || is_lived_in(s, l)) bits_add(loops, l);
    }
    vec_free(&targets);
    return loops;
}

static Waiting *waiting_new(Frequency *o)
{
    const Program *p = o->facts->program;
    Waiting *w = arena_array_of(o->arena, Waiting, 1);
    uint32_t n = p->funcs.len;
    w->may_wait = bits_new(o->arena, n);
    w->may_sleep = bits_new(o->arena, n);
    w->serves = bits_new(o->arena, n);
    w->looked = bits_new(o->arena, n);
    w->loops = arena_array_of(o->arena, Bits, n);
    w->known = arena_array_of(o->arena, uint8_t, n);
    U32s work = {0};
    for (uint32_t f = 1; f < n; f++)
        if (waits_itself(o, (FuncId){f}) >= SPEC_WAITS && bits_add(&w->may_wait, f)) vec_push(&work, f);
    add_callers(o, &w->may_wait, &work);
    for (uint32_t f = 1; f < n; f++)
        if (waits_itself(o, (FuncId){f}) && bits_add(&w->may_sleep, f)) vec_push(&work, f);
    add_callers(o, &w->may_sleep, &work);
    bits_each (f, &w->may_sleep) {
        bool serves = waits_itself(o, (FuncId){f}) == SPEC_WAITS_ALWAYS;
        if (program_has_code(p, (FuncId){f}) && !waits_itself(o, (FuncId){f}))
            serves = bits_size(loops_of(o, w, (FuncId){f})) != 0;
        if (serves && bits_add(&w->serves, f)) vec_push(&work, f);
    }
    add_callers(o, &w->serves, &work);
    vec_free(&work);
    return w;
}

static void flood(const Cfg *c, const EdgeRange *edges, Bits *blocks, U32s *work)
{
    while (work->len) {
        EdgeRange r = edges[vec_pop(work)];
        for (uint32_t i = 0; i < r.count; i++)
            if (bits_add(blocks, c->edges[r.first + i])) vec_push(work, c->edges[r.first + i]);
    }
}

// The blocks of main from which it comes to a loop that waits, or to which it comes from there.
static const Bits *near_of(Frequency *o, Waiting *w, FuncId f, const Shape *s)
{
    if (w->has_near) return &w->near;
    const Program *p = o->facts->program;
    const Bits *loops = loops_of(o, w, f);
    U32s before = {0}, after = {0}, targets = {0};
    w->has_near = true;
    w->near = bits_new(o->arena, s->func->block_count);
    Bits behind = bits_new(o->arena, s->func->block_count);
    ProgRange r = p->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++) {
        const CallSite *c = &p->calls.at[r.first + i];
        uint32_t block = func_block_of(s->unit, s->func, c->ins), l = s->cfg->loop_of[block];
        if (!(l && bits_has(loops, l)) && !call_is_in(o, f, c, &w->serves, &targets)) continue;
        if (bits_add(&w->near, block)) vec_push(&before, block);
        if (bits_add(&behind, block)) vec_push(&after, block);
    }
    flood(s->cfg, s->cfg->pred, &w->near, &before);
    flood(s->cfg, s->cfg->succ, &behind, &after);
    bits_each (b, &behind) bits_add(&w->near, b);
    vec_free(&before);
    vec_free(&after);
    vec_free(&targets);
    return &w->near;
}

static bool runs_outside(Frequency *o, Waiting *w, FuncId f);

static bool is_outside(Frequency *o, Waiting *w, FuncId f, uint32_t ins)
{
    Shape *s = frequency_shape(o, f);
    uint32_t block = func_block_of(s->unit, s->func, ins);
    const Bits *loops = loops_of(o, w, f);
    for (uint32_t l = s->cfg->loop_of[block]; l; l = s->cfg->loops[l - 1].parent)
        if (bits_has(loops, l)) return false;
    if (program_is_main(o->facts->program, f) && !bits_has(near_of(o, w, f, s), block)) return false;
    return runs_outside(o, w, f);
}

static bool runs_outside(Frequency *o, Waiting *w, FuncId f)
{
    const Program *p = o->facts->program;
    uint32_t flags = p->funcs.at[f.id].flags;
    uint8_t *known = &w->known[f.id];
    if (*known) return *known == YES; // a question that leads back to itself: no
    *known = ASKED;
    bool yes = (flags & PROG_DEFINED) && !(flags & PROG_SHARED) && !p->funcs.at[f.id].asked;
    if (program_is_main(p, f)) {
        yes &= !(flags & PROG_ADDRESS_TAKEN) && !p->funcs.at[f.id].callers.count;
    } else if (yes) {
        CallsOf calls = {0};
        bool by_others = false;
        yes = callers_but_once(o, f, CALLERS_START | CALLERS_DURING, &calls, &by_others) && (calls.len || by_others);
        for (uint32_t i = 0; i < calls.len && yes; i++)
            yes = is_outside(o, w, calls.at[i].by, calls.at[i].ins);
        vec_free(&calls);
    }
    *known = yes ? YES : NO;
    return yes;
}

bool starts_up_at(Frequency *o, FuncId f, uint32_t ins)
{
    if (!o->facts->points) return false;
    if (!o->waiting) o->waiting = waiting_new(o);
    return is_outside(o, o->waiting, f, ins);
}
