// Who calls a function whose address is taken.
//
// The points-to sets say which calls through pointers may reach it. That is all there is when code
// that we do not see cannot get at the address: it has not escaped, and no library function is
// given it or a struct that holds it (qsort, sigaction), also not where it only reads there. One that
// calls it at most once (atexit, the tests of a test program; by its specification) is no caller that
// counts. Errs towards "called by others too".
#include "impact/impact_int.h"

#include <stdlib.h>

typedef struct {
    uint32_t callee;
    CallOf call;
} Through;

struct Pointed {
    Bits loose;       // by FuncId: others may call it, at any time
    Bits once;        // by FuncId: others call it, but at most once
    Bits seen, deep;  // by cell: what its object holds has been looked at, and what that leads to
    VEC(Through) all; // by callee
    Bits reached;     // by FuncId, see frequency_reached
    bool has_main;
};

static void let_loose(const Points *points, uint32_t cell, Bits *into)
{
    const PointsObj *o = points_object(points, points_cell_object(points, cell));
    if (o->kind == POBJ_FUNC) bits_add(into, o->func.id);
}

// The functions that lie in the object of a cell; `further` gets what else it leads to.
static void open_object(Pointed *k, const Points *points, uint32_t cell, U32s *further, Bits *into)
{
    ObjId object = points_cell_object(points, cell);
    uint32_t part, in;
    for (uint32_t n = 0; (part = points_object_cell(points, object, n)); n++) {
        const SBits *held = points_content(points, part);
        if (!held) continue;
        for (SIter h = sbits_iter(held); sbits_step(&h, &in);) {
            if (in == POINTS_UNKNOWN) continue;
            let_loose(points, in, into);
            if (further && bits_add(&k->deep, in)) vec_push(further, in);
        }
    }
}

// The functions that the argument is, and those that lie in what it points to: for a library
// function that is specified, as a struct's member; for others anywhere.
static void hand_out(Pointed *k, const Points *points, const SBits *set, bool specified)
{
    U32s work = {0};
    uint32_t cell;
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN || !bits_add(specified ? &k->seen : &k->deep, cell)) continue;
        let_loose(points, cell, &k->loose);
        open_object(k, points, cell, specified ? NULL : &work, &k->loose);
    }
    while (work.len) {
        cell = vec_pop(&work);
        open_object(k, points, cell, &work, &k->loose);
    }
    vec_free(&work);
}

// To one that calls what it is given, or what lies there, at most once.
static void hand_out_once(Pointed *k, const Points *points, const SBits *set)
{
    uint32_t cell;
    if (!set) return;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        if (cell == POINTS_UNKNOWN) continue;
        let_loose(points, cell, &k->once);
        open_object(k, points, cell, NULL, &k->once);
    }
}

static bool is_few(const Program *p, FuncId callee, uint32_t k)
{
    return callee.id && k < MAX_WORDS && p->funcs.at[callee.id].few >> k & 1;
}

static void look_at_call(Pointed *k, const Facts *facts, FuncId by, const CallSite *c,
                         U32s *targets)
{
    const Program *p = facts->program;
    const Points *points = facts->points;
    bool unseen = c->callee.id && !program_has_code(p, c->callee);
    bool specified = !c->callee.id || facts_spec(facts, c->callee);
    if (!c->callee.id) {
        targets->len = 0;
        unseen = !points_callees(points, by, c->ins, targets);
        specified = !unseen;
        vec_each (i, targets) {
            bool code = program_has_code(p, (FuncId){targets->at[i]});
            unseen |= !code;
            specified &= code || facts_spec(facts, (FuncId){targets->at[i]});
            vec_push(&k->all, ((Through){targets->at[i], {by, c->ins}}));
        }
    }
    if (!unseen) return;
    const Unit *u;
    const Func *f = program_body(p, by, &u);
    const Ins *in = func_ins(u, f, c->ins);
    if (op_form((Op)in->op) != FORM_CALL && in->op != OP_INVOKE) return;
    Operands ops = ins_operands(u, f, in);
    const SpecFunc *spec = c->callee.id ? facts_spec(facts, c->callee) : NULL;
    for (uint32_t i = 0; i < ops.more_count; i++) {
        const SBits *set = points_set(points, by, (Ref){ops.more[i * ops.more_step]});
        if (is_few(p, c->callee, i) || (spec && i < spec->param_count && spec->params[i].once))
            hand_out_once(k, points, set);
        else
            hand_out(k, points, set, specified);
    }
}

static int by_callee(const void *a, const void *b)
{
    const Through *x = a, *y = b;
    if (x->callee != y->callee) return x->callee < y->callee ? -1 : 1;
    if (x->call.by.id != y->call.by.id) return x->call.by.id < y->call.by.id ? -1 : 1;
    return x->call.ins < y->call.ins ? -1 : x->call.ins > y->call.ins;
}

static void visit(Pointed *k, U32s *work, uint32_t f)
{
    if (bits_add(&k->reached, f)) vec_push(work, f);
}

// From where a process begins, and from whatever unseen code may call.
static void reach_from_start(Pointed *k, const Facts *facts)
{
    const Program *p = facts->program;
    U32s work = {0}, targets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        uint32_t flags = p->funcs.at[f].flags;
        bool start = (flags & (PROG_START | PROG_KEPT | PROG_IFUNC)) || !(flags & PROG_HIDDEN);
        bool is_main = program_is_main(p, (FuncId){f});
        k->has_main |= is_main && program_has_code(p, (FuncId){f});
        if (start || is_main || bits_has(&k->loose, f) || bits_has(&k->once, f)) visit(k, &work, f);
    }
    while (work.len) {
        FuncId f = {vec_pop(&work)};
        if (!program_has_code(p, f)) continue;
        ProgRange r = p->funcs.at[f.id].calls;
        for (uint32_t i = 0; i < r.count; i++) {
            const CallSite *c = &p->calls.at[r.first + i];
            targets.len = 0;
            if (c->callee.id)
                visit(k, &work, c->callee.id);
            else
                points_callees(facts->points, f, c->ins, &targets);
            vec_each (t, &targets) visit(k, &work, targets.at[t]);
        }
    }
    vec_free(&work);
    vec_free(&targets);
}

// The functions whose address an instruction has, but where it hands them over to be called a few times.
static void add_named(const Program *p, FuncId f, const Unit *u, const Func *body, const Ins *in, Bits *into)
{
    uint32_t unit = p->funcs.at[f.id].unit;
    bool call = in->op == OP_CALL || in->op == OP_INVOKE;
    FuncId callee = call ? program_callee(p, unit, u, (Ref){in->a}) : (FuncId){0};
    Operands ops = ins_operands(u, body, in);
    for (uint32_t k = call ? 1 : 0; k < ops.count; k++)
        bits_add(into, program_callee(p, unit, u, ops.refs[k]).id);
    for (uint32_t k = 0; k < ops.more_count; k++)
        if (!is_few(p, callee, k))
            bits_add(into, program_callee(p, unit, u, (Ref){ops.more[k * ops.more_step]}).id);
}

// What a plug-in hands to the program that loads it, and to nobody else, has escaped; but it is known when that
// program calls it.
static void excuse_handed(Pointed *k, const Facts *facts)
{
    const Program *p = facts->program;
    const Points *points = facts->points;
    bool any = false;
    for (uint32_t f = 1; f < p->funcs.len; f++) any |= p->funcs.at[f].few != 0;
    if (!any) return;
    Arena *scratch = arena_new("handed");
    Bits named = bits_new(scratch, p->funcs.len);
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(p, (FuncId){f}, &u);
        for (uint32_t i = 0; body && i < body->ins_count; i++)
            add_named(p, (FuncId){f}, u, body, func_ins(u, body, i), &named);
    }
    for (uint32_t i = 1; i <= points_object_count(points); i++) {
        uint32_t part, in;
        for (uint32_t n = 0; (part = points_object_cell(points, (ObjId){i}, n)); n++) {
            const SBits *held = part == POINTS_UNKNOWN ? NULL : points_content(points, part);
            if (held)
                for (SIter h = sbits_iter(held); sbits_step(&h, &in);)
                    if (in != POINTS_UNKNOWN) let_loose(points, in, &named);
        }
    }
    for (uint32_t f = 1; f < p->funcs.len; f++)
        if (!bits_has(&named, f)) bits_drop(&k->loose, f);
    arena_free(scratch);
}

static Pointed *pointed_new(const Frequency *o)
{
    const Program *p = o->facts->program;
    const Points *points = o->facts->points;
    Pointed *k = arena_array_of(o->arena, Pointed, 1);
    k->loose = bits_new(o->arena, p->funcs.len);
    k->once = bits_new(o->arena, p->funcs.len);
    k->seen = bits_new(o->arena, points_cell_limit(points));
    k->deep = bits_new(o->arena, points_cell_limit(points));
    for (uint32_t i = 1; i <= points_object_count(points); i++) {
        const PointsObj *x = points_object(points, (ObjId){i});
        if (x->kind == POBJ_FUNC && x->escaped) bits_add(&k->loose, x->func.id);
    }
    excuse_handed(k, o->facts);
    U32s targets = {0};
    for (uint32_t f = 1; f < p->funcs.len; f++) {
        if (!program_has_code(p, (FuncId){f})) continue;
        ProgRange r = p->funcs.at[f].calls;
        for (uint32_t i = 0; i < r.count; i++)
            look_at_call(k, o->facts, (FuncId){f}, &p->calls.at[r.first + i], &targets);
    }
    vec_free(&targets);
    if (k->all.len) qsort(k->all.at, k->all.len, sizeof *k->all.at, by_callee);
    k->reached = bits_new(o->arena, p->funcs.len);
    reach_from_start(k, o->facts);
    return k;
}

void indirect_callers_free(Pointed *k)
{
    if (k) vec_free(&k->all);
}

// The first call through a pointer that may reach the function.
static uint32_t first_of(const Pointed *k, uint32_t callee)
{
    uint32_t low = 0, high = k->all.len;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (k->all.at[mid].callee < callee)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static const Pointed *pointed_of(Frequency *o)
{
    if (!o->pointed && o->facts->points) o->pointed = pointed_new(o);
    return o->pointed;
}

bool call_through(Frequency *o, FuncId f, uint32_t n, CallOf *c)
{
    const Pointed *k = pointed_of(o);
    uint32_t i = k ? first_of(k, f.id) + n : 0;
    if (!k || i >= k->all.len || k->all.at[i].callee != f.id) return false;
    *c = k->all.at[i].call;
    return true;
}

bool frequency_reached(Frequency *o, FuncId f)
{
    const Program *p = o->facts->program;
    const Pointed *k = p->linked ? pointed_of(o) : NULL;
    return !k || !(k->has_main || p->listed) || bits_has(&k->reached, f.id);
}

bool callers_but_once(Frequency *o, FuncId f, CallsOf *into, bool *once)
{
    const Program *p = o->facts->program;
    const ProgFunc *pf = &p->funcs.at[f.id];
    if (!(pf->flags & PROG_DEFINED) || (pf->flags & (PROG_IFUNC | PROG_KEPT))) return false;
    // Other programs with this file have no other calls of what only the file can name.
    if ((pf->flags & PROG_SHARED) && !(pf->flags & (PROG_INTERNAL | PROG_HIDDEN))) return false;
    for (uint32_t i = 0; i < pf->callers.count; i++) {
        FuncId by = p->callers.at[pf->callers.first + i];
        if (!program_has_code(p, by)) return false;
        ProgRange calls = p->funcs.at[by.id].calls;
        for (uint32_t n = 0; n < calls.count; n++) {
            const CallSite *c = &p->calls.at[calls.first + n];
            if (c->callee.id == f.id) vec_push(into, ((CallOf){by, c->ins}));
        }
    }
    if (!(pf->flags & PROG_ADDRESS_TAKEN)) return true;
    const Pointed *k = pointed_of(o);
    if (!k || bits_has(&k->loose, f.id)) return false;
    *once = bits_has(&k->once, f.id);
    for (uint32_t i = first_of(k, f.id); i < k->all.len && k->all.at[i].callee == f.id; i++)
        vec_push(into, k->all.at[i].call);
    return true;
}

bool callers_of(Frequency *o, FuncId f, CallsOf *into)
{
    bool once = false;
    return callers_but_once(o, f, into, &once) && !once;
}

bool all_callers_pass(Frequency *o, FuncId f, uint32_t param, PassedTest test, uint32_t depth)
{
    CallsOf calls = {0};
    bool all = callers_of(o, f, &calls) && calls.len;
    for (uint32_t i = 0; i < calls.len && all; i++) {
        Shape *by = frequency_shape(o, calls.at[i].by);
        const Ins *in = func_ins(by->unit, by->func, calls.at[i].ins);
        all = param < in->c && test(o, calls.at[i].by, by,
                                    (Ref){*func_extra(by->unit, by->func, in->b + param)}, depth);
    }
    vec_free(&calls);
    return all;
}
