// What functions and calls may read and write of the tracked memory, transitively over the call
// graph. Tracked is what the slices follow: cells of locals and of heap objects that may hold an
// allocated object and that unknown code does not see. Globals are left out as in the seed ("any
// value flowing into globals not analysed").
//
// Functions that call each other read and write the same, so there is one answer for each component
// of the call graph (calls through pointers included), made once, callees first. In a large program
// most functions reach one large component and add nothing to what it does: they have its sets, not
// copies (vim: 7,465 functions, 6.7 million members when each had its own).
#include "flow/flow_int.h"

static bool holds_heap(const Flow *f, const SBits *content)
{
    uint32_t cell;
    for (SIter i = sbits_iter(content); sbits_step(&i, &cell);)
        if (points_object(f->points, points_cell_object(f->points, cell))->kind == POBJ_HEAP)
            return true;
    return false;
}

static void find_tracked(Flow *f)
{
    uint32_t limit = points_cell_limit(f->points);
    f->tracked = bits_new(f->arena, limit);
    f->number_of = arena_array_of(f->arena, uint32_t, limit);
    for (uint32_t c = 2; c < limit; c++) {
        ObjId o = points_cell_object(f->points, c);
        if (!o.id) continue;
        const PointsObj *obj = points_object(f->points, o);
        if (obj->escaped) continue;
        if (obj->kind != POBJ_LOCAL && obj->kind != POBJ_HEAP && obj->kind != POBJ_BYVAL) continue;
        if (!holds_heap(f, points_content(f->points, c))) continue;
        bits_add(&f->tracked, c);
        f->number_of[c] = f->cells.len;
        vec_push(&f->cells, c);
    }
    uint32_t objects = points_object_count(f->points);
    f->held_from = arena_array_of(f->arena, uint32_t, (size_t)objects + 2);
    for (uint32_t o = 0; o <= objects; o++) {
        f->held_from[o] = f->held.len;
        uint32_t c;
        for (uint32_t k = 0; o && (c = points_object_cell(f->points, (ObjId){o}, k)); k++)
            if (bits_has(&f->tracked, c)) vec_push(&f->held, f->number_of[c]);
    }
    f->held_from[objects + 1] = f->held.len;
}

static void add_tracked(Flow *f, const SBits *set, CellSets *into)
{
    CellSet *s = set_tracked(f, set, false);
    if (s->number) vec_push(into, s);
}

// All cells of the objects that the pointer reaches.
static void add_objects(Flow *f, const SBits *set, CellSets *into)
{
    CellSet *s = set_tracked(f, set, true);
    if (s->number) vec_push(into, s);
}

// What is read or written through an address: one cell, or for an aggregate in a register all of
// the object (errs towards more).
static void add_accessed(Flow *f, const SBits *set, MType t, CellSets *into)
{
    if (mtype_class(t) == MT_AGG || mtype_class(t) == MT_VEC)
        add_objects(f, set, into);
    else
        add_tracked(f, set, into);
}

static void by_spec(Flow *f, FuncId id, const Unit *u, const Func *body, const Ins *i, uint32_t ins,
                    const SpecFunc *spec, RefMod *into)
{
    for (uint32_t k = 0; k < i->c; k++) {
        const SpecParam *par = k < spec->param_count ? &spec->params[k] : &spec->rest;
        const SBits *s = points_set(f->points, id, (Ref){*func_extra(u, body, i->b + k)});
        if (par->place == SPEC_IN || par->place == SPEC_INOUT) add_tracked(f, s, &into->ref);
        if (par->place == SPEC_OUT || par->place == SPEC_INOUT) add_tracked(f, s, &into->mod);
        if (par->effect == SPEC_FILLS) add_objects(f, s, &into->mod);
        if (spec->realloc && par->mode == SPEC_TAKE) {
            add_objects(f, s, &into->ref);
            add_objects(f, points_set(f->points, id, ref_ins(ins)), &into->mod);
        }
    }
    for (uint32_t k = 0; k < spec->copy_count; k++) {
        const SpecCopy *c = &spec->copies[k];
        if (c->from >= 0 && (uint32_t)c->from < i->c)
            add_objects(
                f, points_set(f->points, id, (Ref){*func_extra(u, body, i->b + (uint32_t)c->from)}),
                &into->ref);
        if (c->to == SPEC_RETURN)
            add_objects(f, points_set(f->points, id, ref_ins(ins)), &into->mod);
        else if (c->to >= 0 && (uint32_t)c->to < i->c)
            add_objects(
                f, points_set(f->points, id, (Ref){*func_extra(u, body, i->b + (uint32_t)c->to)}),
                &into->mod);
    }
}

// Inside a component the cells of all its functions that are on their way are seen, the callee's
// too: they may be those of an earlier call of it. From outside none of them.
static void of_callee(const Flow *f, FuncId caller, FuncId callee, RefMod *into)
{
    const RefModOf *of = &f->refmod[f->component[callee.id]];
    bool inside = f->component[caller.id] == f->component[callee.id];
    vec_push(&into->ref, inside ? of->ref : of->ref_out);
    vec_push(&into->mod, inside ? of->mod : of->mod_out);
}

static void access(Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins, bool callees,
                   RefMod *into)
{
    const Ins *i = func_ins(u, body, ins);
    switch ((Op)i->op) {
    case OP_LOAD:
        add_accessed(f, points_set(f->points, id, (Ref){i->a}), i->type, &into->ref);
        break;
    case OP_STORE:
        add_accessed(f, points_set(f->points, id, (Ref){i->a}), ref_type(u, body, (Ref){i->b}),
                     &into->mod);
        break;
    case OP_COPY:
        add_objects(f, points_set(f->points, id, (Ref){i->a}), &into->mod);
        add_objects(f, points_set(f->points, id, (Ref){i->b}), &into->ref);
        break;
    case OP_FILL:
        add_objects(f, points_set(f->points, id, (Ref){i->a}), &into->mod);
        break;
    case OP_CALL:
    case OP_INVOKE: {
        U32s targets = {0};
        points_callees(f->points, id, ins, &targets);
        vec_each (k, &targets) {
            FuncId g = {targets.at[k]};
            const SpecFunc *spec = points_spec(f->points, g);
            if (spec)
                by_spec(f, id, u, body, i, ins, spec, into);
            else if (callees && program_has_code(f->program, g))
                of_callee(f, id, g, into);
        }
        vec_free(&targets);
        break;
    }
    default:
        break;
    }
}

void flow_access(Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins, CellSet **ref,
                 CellSet **mod)
{
    vec_clear(&f->parts.ref);
    vec_clear(&f->parts.mod);
    access(f, id, u, body, ins, true, &f->parts);
    *ref = set_union(f, &f->parts.ref);
    *mod = set_union(f, &f->parts.mod);
}

// By FuncId: tracked cells of its own.
static U32s *find_own(const Flow *f)
{
    U32s *own = arena_array_of(f->arena, U32s, f->program->funcs.len);
    vec_each (i, &f->cells) {
        const PointsObj *o =
            points_object(f->points, points_cell_object(f->points, f->cells.at[i]));
        if (o->kind == POBJ_LOCAL || o->kind == POBJ_BYVAL) vec_push(&own[o->func.id], i);
    }
    return own;
}

// ---- components of the call graph (Tarjan 1972), without recursion ----

typedef struct {
    uint32_t func, next; // next: of its calls
} FuncVisit;

typedef struct {
    U32s order, first; // functions, callees first; where each component begins in it, and the end
} CallOrder;

static void components(Flow *f, CallOrder *into)
{
    uint32_t n = f->program->funcs.len, time = 0;
    Arena *scratch = arena_new("components");
    uint32_t *number = arena_array_of(scratch, uint32_t, n);
    uint32_t *low = arena_array_of(scratch, uint32_t, n);
    VEC(FuncVisit) path = {0};
    U32s stack = {0};
    for (uint32_t root = 1; root < n; root++) {
        if (number[root]) continue;
        number[root] = low[root] = ++time;
        vec_push(&stack, root);
        vec_push(&path, ((FuncVisit){root, 0}));
        while (path.len) {
            FuncVisit *at = &vec_last(&path);
            uint32_t me = at->func;
            if (at->next < f->callees_of[me].count) {
                uint32_t to = f->callees.at[f->callees_of[me].first + at->next++];
                if (!number[to]) {
                    number[to] = low[to] = ++time;
                    vec_push(&stack, to);
                    vec_push(&path, ((FuncVisit){to, 0}));
                } else if (!f->component[to] && number[to] < low[me]) {
                    low[me] = number[to];
                }
                continue;
            }
            if (low[me] == number[me]) {
                vec_push(&into->first, into->order.len);
                uint32_t member;
                do {
                    member = vec_pop(&stack);
                    f->component[member] = into->first.len;
                    vec_push(&into->order, member);
                } while (member != me);
            }
            (void)vec_pop(&path);
            if (path.len && low[me] < low[vec_last(&path).func])
                low[vec_last(&path).func] = low[me];
        }
    }
    vec_push(&into->first, into->order.len);
    vec_free(&path);
    vec_free(&stack);
    arena_free(scratch);
}

// ---- one component ----

static bool meets_own(const SBits *set, const U32s *own)
{
    vec_each (i, own)
        if (sbits_has(set, own->at[i])) return true;
    return false;
}

// The union. Most components add nothing or little to the largest set below them.
static CellSet *join(Flow *f, CellSets *parts)
{
    CellSet *most = f->sets.at[0];
    vec_each (i, parts)
        if (parts->at[i]->set.len > most->set.len) most = parts->at[i];
    uint32_t more = 0;
    vec_each (i, parts)
        if (parts->at[i] != most && !sbits_covers(&most->set, &parts->at[i]->set))
            parts->at[more++] = parts->at[i];
    if (!more) return most;
    SBits all = set_merge(f, parts->at, more);
    sbits_union(&all, &most->set);
    return set_of(f, &all);
}

// The same without the cells that die with the component.
static CellSet *outside(Flow *f, CellSet *inside, const uint32_t *members, uint32_t count)
{
    bool meets = false;
    for (uint32_t i = 0; i < count && !meets; i++)
        meets = meets_own(&inside->set, &f->own[members[i]]);
    if (!meets) return inside;
    SBits rest = sbits_copy(&inside->set);
    f->counts.sets += rest.len;
    for (uint32_t i = 0; i < count; i++)
        vec_each (k, &f->own[members[i]]) sbits_drop(&rest, f->own[members[i]].at[k]);
    return set_of(f, &rest);
}

// What a component takes, each set once.
typedef struct {
    CellSets parts;
    uint32_t stamp;
} Taken;

static void take(Taken *t, CellSet *s)
{
    if (!s->number || s->mark == t->stamp) return;
    s->mark = t->stamp;
    vec_push(&t->parts, s);
}

static CellSet *of_component(Flow *f, Taken *taken, const uint32_t *members, uint32_t count,
                             bool mod)
{
    uint32_t me = f->component[members[0]];
    for (uint32_t i = 0; i < count; i++) {
        ProgRange r = f->callees_of[members[i]];
        for (uint32_t k = 0; k < r.count; k++) {
            uint32_t callee = f->callees.at[r.first + k];
            if (f->component[callee] == me) continue;
            const RefModOf *of = &f->refmod[f->component[callee]];
            take(taken, mod ? of->mod_out : of->ref_out);
        }
    }
    return join(f, &taken->parts);
}

void flow_modref(Flow *f)
{
    find_tracked(f);
    const Program *p = f->program;
    f->own = find_own(f);
    f->component = arena_array_of(f->arena, uint32_t, p->funcs.len);
    CallOrder c = {0};
    components(f, &c);
    uint32_t count = c.first.len - 1;
    f->refmod = arena_array_of(f->arena, RefModOf, count + 1);
    Taken taken = {0};
    RefMod all = {0};
    for (uint32_t k = 1; k <= count; k++) {
        const uint32_t *members = c.order.at + c.first.at[k - 1];
        uint32_t size = c.first.at[k] - c.first.at[k - 1];
        vec_clear(&all.ref);
        vec_clear(&all.mod);
        for (uint32_t m = 0; m < size; m++) {
            FuncId id = {members[m]};
            const Unit *u;
            const Func *body = program_body(p, id, &u);
            if (!body || points_spec(f->points, id)) continue;
            for (uint32_t i = 0; i < body->ins_count; i++) access(f, id, u, body, i, false, &all);
        }
        RefModOf *r = &f->refmod[k];
        for (int mod = 0; mod < 2; mod++) {
            const CellSets *direct = mod ? &all.mod : &all.ref;
            taken.stamp++;
            vec_clear(&taken.parts);
            vec_each (i, direct) take(&taken, direct->at[i]);
            CellSet *in = of_component(f, &taken, members, size, mod);
            CellSet *out = outside(f, in, members, size);
            *(mod ? &r->mod : &r->ref) = in;
            *(mod ? &r->mod_out : &r->ref_out) = out;
        }
    }
    vec_free(&all.ref);
    vec_free(&all.mod);
    vec_free(&taken.parts);
    vec_free(&c.order);
    vec_free(&c.first);
}
