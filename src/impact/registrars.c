// When a program calls the functions that its plug-ins hand over to it.
//
// A parameter of a function that plug-ins call (link/registrars.c) is followed through the program: by
// values, by memory as the points-to sets have it, into callees and out of them. Each call through a
// pointer that it may come to is a place where the plug-in's function is called. Where all of these are met a
// few times (as the program starts up, before its waiting loop or after it), so is the function. One
// that code without source gets, or that is stored where nobody knows, may be called at any time. Errs towards
// that, but for what the points-to sets leave out.
#include "impact/impact_int.h"

#include "base/map.h"
#include "unit/types.h"

enum { AT_ONCE = 64 }; // parameters that are followed together

typedef struct {
    FuncId f;
    uint32_t param;
    bool typed;
    uint32_t count; // typed: of arguments that the function is called with
} Asked;

typedef struct {
    Frequency *o;
    const Asked *asked;
    uint32_t count;
    uint64_t **ins;    // by FuncId, by instruction: which of the parameters it may be
    uint64_t **params; // by FuncId, by parameter
    uint64_t *results; // by FuncId
    Map cells;         // what memory may hold
    uint64_t lost;     // may be called at any time
    uint64_t called;   // somewhere
    uint64_t often;    // at a place that is met often
    bool changed;
} Track;

static bool is_scalar(const Unit *u, TypeId type)
{
    uint32_t kind = u->types.at[plain_type(u, type).id].kind;
    return kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_FLOAT || kind == TYPE_ENUM || kind == TYPE_POINTER;
}

// How many arguments the parameter, a pointer to a function, is declared to be called with. A struct may be
// handed over as several or as none.
static void find_type(const Program *p, Asked *a)
{
    const Unit *u;
    const Func *f = program_body(p, a->f, &u);
    if (!f || a->param >= f->param_count) return;
    const Type *t = &u->types.at[plain_type(u, pointee(u, u->params.at[f->first_param + a->param].type)).id];
    if (t->kind != TYPE_FUNC || !t->elem_count || t->flags & TYPE_VARARGS) return;
    TypeId result = u->elems.at[t->first_elem].type;
    a->typed = u->types.at[plain_type(u, result).id].kind == TYPE_VOID || is_scalar(u, result);
    for (uint32_t i = 1; i < t->elem_count; i++) a->typed &= is_scalar(u, u->elems.at[t->first_elem + i].type);
    a->count = t->elem_count - 1;
}

static uint64_t *param_of(Track *t, FuncId f, uint32_t k)
{
    if (!t->params[f.id]) t->params[f.id] = arena_array_of(t->o->arena, uint64_t, MAX_WORDS);
    return &t->params[f.id][k];
}

static uint64_t value_of(Track *t, FuncId f, Ref r)
{
    if (ref_is_ins(r)) return t->ins[f.id] ? t->ins[f.id][ref_index(r)] : 0;
    if (ref_is_param(r) && ref_index(r) < MAX_WORDS && t->params[f.id])
        return t->params[f.id][ref_index(r)];
    return 0;
}

static void add(Track *t, uint64_t *to, uint64_t mask)
{
    t->changed |= (mask & ~*to) != 0;
    *to |= mask;
}

static void add_result(Track *t, FuncId f, const Shape *s, uint32_t ins, uint64_t mask)
{
    if (!mask) return;
    if (!t->ins[f.id]) t->ins[f.id] = arena_array_of(t->o->arena, uint64_t, s->func->ins_count);
    add(t, &t->ins[f.id][ins], mask);
}

static void put_cell(Track *t, uint32_t cell, uint64_t mask)
{
    if (mask) add(t, map_at(&t->cells, cell, 0, &(bool){0}), mask);
}

static void stored(Track *t, FuncId f, Ref at, uint64_t mask)
{
    if (!mask) return;
    const SBits *set = points_set(t->o->facts->points, f, at);
    uint32_t cell;
    bool any = false;
    if (set)
        for (SIter i = sbits_iter(set); sbits_step(&i, &cell); any = true) {
            if (cell == POINTS_UNKNOWN) t->lost |= mask;
            put_cell(t, cell, mask);
        }
    if (!any) t->lost |= mask;
}

static uint64_t held(const Track *t, FuncId f, Ref at)
{
    const SBits *set = points_set(t->o->facts->points, f, at);
    uint32_t cell;
    uint64_t mask = 0;
    if (set)
        for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
            const uint64_t *m = map_get(&t->cells, cell);
            if (m) mask |= *m;
        }
    return mask;
}

// What a part of a struct holds, `by` bytes behind where the copy goes to. Parts that the points-to sets do not
// tell apart are one.
static void copied_part(Track *t, FuncId f, Ref to, uint32_t by, uint64_t mask)
{
    const Points *points = t->o->facts->points;
    const SBits *set = points_set(points, f, to);
    uint32_t cell, part;
    bool any = false;
    if (set)
        for (SIter i = sbits_iter(set); sbits_step(&i, &cell); any = true) {
            if (cell == POINTS_UNKNOWN) t->lost |= mask;
            if (cell == POINTS_UNKNOWN) continue;
            ObjId object = points_cell_object(points, cell);
            bool one = points_object(points, object)->collapsed;
            for (uint32_t n = 0; (part = points_object_cell(points, object, n)); n++)
                if (one || points_cell_offset(points, part) == points_cell_offset(points, cell) + by)
                    put_cell(t, part, mask);
        }
    if (!any) t->lost |= mask;
}

static void copied(Track *t, FuncId f, Ref to, Ref from)
{
    const Points *points = t->o->facts->points;
    const SBits *set = points_set(points, f, from);
    uint32_t cell, part;
    if (set)
        for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
            if (cell == POINTS_UNKNOWN) continue;
            ObjId object = points_cell_object(points, cell);
            for (uint32_t n = 0; (part = points_object_cell(points, object, n)); n++) {
                const uint64_t *m = map_get(&t->cells, part);
                uint32_t at = points_cell_offset(points, part), base = points_cell_offset(points, cell);
                if (m && *m && at >= base) copied_part(t, f, to, at - base, *m);
            }
        }
}

static void given(Track *t, FuncId f, const Shape *s, uint32_t ins, FuncId callee)
{
    const Ins *in = func_ins(s->unit, s->func, ins);
    bool code = program_has_code(t->o->facts->program, callee);
    const SpecFunc *spec = code ? NULL : facts_spec(t->o->facts, callee);
    for (uint32_t k = 0; k < in->c; k++) {
        uint64_t mask = value_of(t, f, (Ref){*func_extra(s->unit, s->func, in->b + k)});
        if (!mask) continue;
        if (code && k < MAX_WORDS)
            add(t, param_of(t, callee, k), mask);
        else if (!(spec && k < spec->param_count && spec->params[k].once))
            t->lost |= mask;
    }
    if (code) add_result(t, f, s, ins, t->results[callee.id]);
}

// Which of the parameters the call may call. One list that holds functions of several types is called by each of
// its callers for one type.
static uint64_t called_by(Track *t, FuncId f, const Ins *in)
{
    uint64_t mask = value_of(t, f, (Ref){in->a});
    for (uint32_t i = 0; mask && i < t->count; i++)
        if (t->asked[i].typed && t->asked[i].count != in->c) mask &= ~(1ull << i);
    return mask;
}

static void call(Track *t, FuncId f, const Shape *s, uint32_t ins, U32s *targets)
{
    const Program *p = t->o->facts->program;
    const Ins *in = func_ins(s->unit, s->func, ins);
    FuncId callee = program_callee(p, p->funcs.at[f.id].unit, s->unit, (Ref){in->a});
    if (callee.id) {
        given(t, f, s, ins, callee);
        return;
    }
    uint64_t through = called_by(t, f, in);
    t->changed |= (through & ~t->called) != 0;
    t->called |= through;
    targets->len = 0;
    bool seen = points_callees(t->o->facts->points, f, ins, targets);
    vec_each (i, targets) given(t, f, s, ins, (FuncId){targets->at[i]});
    // Plug-ins may hand a function that they are given to each other.
    for (uint32_t k = 0; k < in->c && !seen; k++)
        t->lost |= value_of(t, f, (Ref){*func_extra(s->unit, s->func, in->b + k)});
}

static void look_at(Track *t, FuncId f, const Shape *s, uint32_t ins, U32s *targets)
{
    const Ins *in = func_ins(s->unit, s->func, ins);
    switch ((Op)in->op) {
    case OP_CALL:
    case OP_INVOKE:
        call(t, f, s, ins, targets);
        return;
    case OP_STORE:
        stored(t, f, (Ref){in->a}, value_of(t, f, (Ref){in->b}));
        return;
    case OP_COPY:
        copied(t, f, (Ref){in->a}, (Ref){in->b});
        return;
    case OP_LOAD:
        add_result(t, f, s, ins, held(t, f, (Ref){in->a}));
        return;
    case OP_RET:
        if (!ref_is_none((Ref){in->a})) add(t, &t->results[f.id], value_of(t, f, (Ref){in->a}));
        return;
    default:
        break;
    }
    if (in->op < OP_ADD || in->op > OP_PHI) return;
    Operands ops = ins_operands(s->unit, s->func, in);
    uint64_t mask = 0;
    for (uint32_t i = 0; i < ops.count; i++) mask |= value_of(t, f, ops.refs[i]);
    for (uint32_t i = 0; i < ops.more_count; i++)
        mask |= value_of(t, f, (Ref){ops.more[i * ops.more_step]});
    add_result(t, f, s, ins, mask);
}

// Which of the parameters are called at places that a process meets often.
static void ask_places(Track *t, FuncId f, const Shape *s)
{
    ProgRange r = t->o->facts->program->funcs.at[f.id].calls;
    for (uint32_t i = 0; i < r.count; i++) {
        const CallSite *c = &t->o->facts->program->calls.at[r.first + i];
        const Ins *in = func_ins(s->unit, s->func, c->ins);
        uint64_t mask = c->callee.id ? 0 : called_by(t, f, in);
        if (mask & ~t->often && !starts_up_at(t->o, f, c->ins) && !frequency_at(t->o, f, c->ins, false))
            t->often |= mask;
    }
}

static void follow_all(Frequency *o, const Asked *asked, uint32_t count, Map *few)
{
    const Program *p = o->facts->program;
    uint32_t n = p->funcs.len;
    Track t = {.o = o, .asked = asked, .count = count};
    U32s targets = {0};
    t.ins = arena_array_of(o->arena, uint64_t *, n);
    t.params = arena_array_of(o->arena, uint64_t *, n);
    t.results = arena_array_of(o->arena, uint64_t, n);
    for (uint32_t i = 0; i < count; i++) *param_of(&t, asked[i].f, asked[i].param) |= 1ull << i;
    do {
        t.changed = false;
        for (uint32_t f = 1; f < n; f++) {
            if (!program_has_code(p, (FuncId){f})) continue;
            const Shape *s = frequency_shape(o, (FuncId){f});
            for (uint32_t i = 0; i < s->func->ins_count; i++) look_at(&t, (FuncId){f}, s, i, &targets);
        }
    } while (t.changed);
    for (uint32_t f = 1; f < n; f++)
        if (program_has_code(p, (FuncId){f})) ask_places(&t, (FuncId){f}, frequency_shape(o, (FuncId){f}));
    for (uint32_t i = 0; i < count; i++)
        if (t.called & ~t.often & ~t.lost & 1ull << i)
            *map_at(few, program_name_key(p, asked[i].f), 0, &(bool){0}) |= 1u << asked[i].param;
    map_free(&t.cells);
    vec_free(&targets);
}

void registrars_find(Frequency *o, Map *few)
{
    const Program *p = o->facts->program;
    Asked asked[AT_ONCE];
    uint32_t count = 0;
    if (!o->facts->points) return;
    for (uint32_t f = 1; f < p->funcs.len; f++)
        for (uint32_t k = 0; k < MAX_WORDS; k++) {
            if (!(p->funcs.at[f].asked >> k & 1)) continue;
            asked[count] = (Asked){{f}, k, false, 0};
            find_type(p, &asked[count++]);
            if (count < AT_ONCE) continue;
            follow_all(o, asked, count, few);
            count = 0;
        }
    if (count) follow_all(o, asked, count, few);
}

void registrars_tell(const Map *few, Program *p)
{
    for (uint32_t f = 1; f < p->funcs.len && few->len; f++) {
        const uint64_t *mask = map_get(few, program_name_key(p, (FuncId){f}));
        if (mask && !(p->funcs.at[f].flags & PROG_DEFINED)) p->funcs.at[f].few = (uint32_t)*mask;
    }
}
