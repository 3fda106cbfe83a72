// What functions and calls may read and write of the tracked memory, transitively over the call
// graph. Tracked is what the slices follow: cells of locals and of heap objects that may hold an
// allocated object and that unknown code does not see. Globals are left out as in the seed ("any
// value flowing into globals not analysed").
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
    for (uint32_t c = 2; c < limit; c++) {
        ObjId o = points_cell_object(f->points, c);
        if (!o.id) continue;
        const PointsObj *obj = points_object(f->points, o);
        if (obj->escaped) continue;
        if (obj->kind != POBJ_LOCAL && obj->kind != POBJ_HEAP && obj->kind != POBJ_BYVAL) continue;
        if (holds_heap(f, points_content(f->points, c))) bits_add(&f->tracked, c);
    }
}

bool flow_is_own(const Flow *f, FuncId id, uint32_t cell)
{
    const PointsObj *o = points_object(f->points, points_cell_object(f->points, cell));
    return (o->kind == POBJ_LOCAL || o->kind == POBJ_BYVAL) && o->func.id == id.id;
}

static void add_tracked(const Flow *f, const SBits *set, SBits *into)
{
    if (!set) return;
    uint32_t cell;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);)
        if (bits_has(&f->tracked, cell)) sbits_add(into, cell);
}

// All cells of the objects that the pointer reaches.
static void add_objects(const Flow *f, const SBits *set, SBits *into)
{
    if (!set) return;
    uint32_t cell;
    for (SIter i = sbits_iter(set); sbits_step(&i, &cell);) {
        ObjId o = points_cell_object(f->points, cell);
        uint32_t c;
        for (uint32_t k = 0; (c = points_object_cell(f->points, o, k)); k++)
            if (bits_has(&f->tracked, c)) sbits_add(into, c);
    }
}

// What is read or written through an address: one cell, or for an aggregate in a register all of
// the object (errs towards more).
static void add_accessed(const Flow *f, const SBits *set, MType t, SBits *into)
{
    if (mtype_class(t) == MT_AGG || mtype_class(t) == MT_VEC)
        add_objects(f, set, into);
    else
        add_tracked(f, set, into);
}

static void by_spec(const Flow *f, FuncId id, const Unit *u, const Func *body, const Ins *i,
                    uint32_t ins, const SpecFunc *spec, RefMod *into)
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

void flow_access(Flow *f, FuncId id, const Unit *u, const Func *body, uint32_t ins, RefMod *into)
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
            if (spec) {
                by_spec(f, id, u, body, i, ins, spec, into);
            } else if (program_has_code(f->program, g)) {
                sbits_union(&into->ref, &f->refmod[g.id].ref);
                sbits_union(&into->mod, &f->refmod[g.id].mod);
            }
        }
        vec_free(&targets);
        break;
    }
    default:
        break;
    }
}

// The function's own cells die with it; callers see the rest. Sets are large and own cells few.
static bool keep_foreign(const U32s *own, FuncId id, const SBits *from, SBits *into)
{
    if (sbits_covers(into, from)) return false;
    bool meets = false;
    vec_each (i, &own[id.id]) meets |= sbits_has(from, own[id.id].at[i]);
    if (!meets) return sbits_union(into, from);
    SBits rest = sbits_copy(from);
    vec_each (i, &own[id.id]) sbits_drop(&rest, own[id.id].at[i]);
    bool grew = sbits_union(into, &rest);
    sbits_clear(&rest);
    return grew;
}

// By FuncId: tracked cells of its own.
static U32s *find_own(const Flow *f)
{
    U32s *own = arena_array_of(f->arena, U32s, f->program->funcs.len);
    bits_each (cell, &f->tracked) {
        const PointsObj *o = points_object(f->points, points_cell_object(f->points, cell));
        if (o->kind == POBJ_LOCAL || o->kind == POBJ_BYVAL) vec_push(&own[o->func.id], cell);
    }
    return own;
}

void flow_modref(Flow *f)
{
    find_tracked(f);
    f->refmod = arena_array_of(f->arena, RefMod, f->program->funcs.len);
    U32s *own = find_own(f);
    // First what functions do themselves, callees first; then up along the calls until no caller
    // learns anything new.
    U32s open = {0};
    Bits queued = bits_new(f->arena, f->program->funcs.len);
    vec_each (n, &f->program->order) {
        FuncId id = f->program->order.at[n];
        const Unit *u;
        const Func *body = program_body(f->program, id, &u);
        if (!body || points_spec(f->points, id)) continue;
        RefMod all = {0};
        for (uint32_t i = 0; i < body->ins_count; i++) flow_access(f, id, u, body, i, &all);
        keep_foreign(own, id, &all.ref, &f->refmod[id.id].ref);
        keep_foreign(own, id, &all.mod, &f->refmod[id.id].mod);
        sbits_clear(&all.ref);
        sbits_clear(&all.mod);
        bits_add(&queued, id.id);
        vec_push(&open, id.id);
    }
    for (uint32_t at = 0; at < open.len; at++) {
        uint32_t callee = open.at[at];
        bits_drop(&queued, callee);
        for (uint32_t k = 0; k < f->callers_of[callee].count; k++) {
            FuncId id = f->callers.at[f->callers_of[callee].first + k].caller;
            bool grew = keep_foreign(own, id, &f->refmod[callee].ref, &f->refmod[id.id].ref);
            grew |= keep_foreign(own, id, &f->refmod[callee].mod, &f->refmod[id.id].mod);
            if (grew && bits_add(&queued, id.id)) vec_push(&open, id.id);
        }
    }
    vec_free(&open);
    for (uint32_t k = 0; k < f->program->funcs.len; k++) vec_free(&own[k]);
}
