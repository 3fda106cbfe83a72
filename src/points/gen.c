// Constraints of functions and initialisers. Values that can hold a pointer have a node: pointers,
// integers as wide as one (a pointer may pass through them), aggregates and vectors (all their
// pointers together). Narrower integers have none: a pointer that is copied byte by byte in a loop
// is lost from sight (errs towards missing targets).
#include "link/specs.h"
#include "points/points_int.h"

bool pts_is_pointerish(MType t)
{
    switch (mtype_class(t)) {
    case MT_PTR:
    case MT_AGG:
    case MT_VEC:
        return true;
    case MT_INT:
        return mtype_size(t) == 64;
    default:
        return false;
    }
}

static bool is_wide(MType t)
{
    return mtype_class(t) == MT_AGG || mtype_class(t) == MT_VEC;
}

static Node new_const_node(Points *p, uint32_t unit, const Unit *u, uint32_t index)
{
    const Const *c = &u->consts.at[index];
    if (c->kind == CONST_GLOBAL) {
        GlobalId g = program_global(p->program, unit, (UGlobalId){c->target});
        Node cell = pts_cell_at(p, pts_obj_of_global(p, g), c->value);
        if (!cell) cell = pts_cell_at(p, pts_obj_of_global(p, g), 0);
        return pts_addr_of(p, cell);
    }
    if (c->kind == CONST_FUNC) {
        FuncId f = program_func(p->program, unit, (UFuncId){c->target});
        if (!(p->program->funcs.at[f.id].flags & PROG_IFUNC))
            return pts_addr_of(p, pts_cell_at(p, pts_obj_of_func(p, f), 0));
        U32s targets = {0};
        program_ifunc_targets(p->program, f, &targets);
        Node n = pts_node_new(p);
        vec_each (i, &targets)
            pts_emit(p, C_ADDR, n, pts_cell_at(p, pts_obj_of_func(p, (FuncId){targets.at[i]}), 0),
                     0);
        vec_free(&targets);
        return n;
    }
    return NODE_NONE;
}

static Node const_node(Points *p, uint32_t unit, const Unit *u, uint32_t index)
{
    if (!p->consts[unit]) p->consts[unit] = arena_array_of(p->arena, Node, u->consts.len);
    if (!p->consts[unit][index]) p->consts[unit][index] = new_const_node(p, unit, u, index);
    return p->consts[unit][index];
}

Node pts_value_of(Points *p, FuncId f, uint32_t unit, const Unit *u, Ref r)
{
    if (ref_is_none(r)) return NODE_NONE;
    if (ref_is_const(r)) return const_node(p, unit, u, ref_index(r));
    return (ref_is_param(r) ? p->slots : p->values)[f.id][ref_index(r)];
}

static bool const_int(const Unit *u, Ref r, int64_t *value)
{
    if (!ref_is_const(r)) return false;
    const Const *c = &u->consts.at[ref_index(r)];
    if (c->kind != CONST_INT) return false;
    *value = c->value;
    return true;
}

typedef struct {
    Points *p;
    FuncId id;
    uint32_t unit;
    const Unit *u;
    const Func *f;
} Gen;

static Node val(Gen *g, uint32_t bits)
{
    return pts_value_of(g->p, g->id, g->unit, g->u, (Ref){bits});
}

static void offset(Gen *g, Node to, Node from, int64_t bytes)
{
    if (bytes > INT32_MAX / 2 || bytes < INT32_MIN / 2) bytes = 0;
    pts_emit(g->p, bytes ? C_FIELD : C_COPY, to, from, bytes);
}

static void arithmetic(Gen *g, const Ins *i, Node to)
{
    Points *p = g->p;
    Node a = val(g, i->a), b = val(g, i->b);
    int64_t n;
    switch ((Op)i->op) {
    case OP_ADD:
        if (const_int(g->u, (Ref){i->b}, &n))
            offset(g, to, a, n);
        else if (const_int(g->u, (Ref){i->a}, &n))
            offset(g, to, b, n);
        else {
            pts_emit(p, C_COPY, to, a, 0);
            pts_emit(p, C_COPY, to, b, 0);
        }
        break;
    case OP_SUB:
        // The distance of two addresses is no address.
        if (const_int(g->u, (Ref){i->b}, &n))
            offset(g, to, a, (int64_t)(0 - (uint64_t)n));
        else if (!ref_is_ins((Ref){i->b}) ||
                 func_ins(g->u, g->f, ref_index((Ref){i->b}))->op != OP_PTRTOINT)
            pts_emit(p, C_COPY, to, a, 0);
        break;
    default: // masks and tags
        pts_emit(p, C_COPY, to, a, 0);
        pts_emit(p, C_COPY, to, b, 0);
        break;
    }
}

// A variable argument list on the targets we know: pointers to the saved arguments at 8 and 16
// (or at 0 where it is a plain pointer).
static void va_start(Gen *g, Node list)
{
    Points *p = g->p;
    uint32_t *rest = &p->rest[g->id.id];
    if (!*rest)
        *rest = pts_obj_new(p, (Obj){.is = {.kind = POBJ_REST, .func = g->id, .collapsed = true}});
    Node area = pts_addr_of(p, pts_cell_at(p, *rest, 0));
    static const int offsets[] = {0, 8, 16};
    for (int k = 0; k < 3; k++) {
        Node at = pts_node_new(p);
        offset(g, at, list, offsets[k]);
        pts_emit(p, C_STORE, at, area, 0);
    }
}

static void gen_ins(Gen *g, uint32_t index)
{
    Points *p = g->p;
    const Ins *i = func_ins(g->u, g->f, index);
    Node to = p->values[g->id.id][index];
    int64_t n;
    switch ((Op)i->op) {
    case OP_ALLOCA: {
        const Local *l = &g->u->locals.at[g->f->first_local + i->b - 1];
        int64_t count = 1;
        bool one = ref_is_none((Ref){i->a}) || (const_int(g->u, (Ref){i->a}, &count) && count == 1);
        // One local, one object, also where the instruction occurs twice.
        bool fresh;
        uint64_t key = map_pair(g->id.id, i->b) * 64 + 63;
        map_at(&p->heap, key, 0, &fresh);
        if (fresh)
            *map_get(&p->heap, key) =
                pts_obj_new(p, (Obj){.is = {.kind = POBJ_LOCAL, .func = g->id, .index = i->b},
                                     .unit = g->unit,
                                     .type = one ? l->type : (TypeId){0},
                                     .size = one ? l->size : 0});
        pts_emit(p, C_ADDR, to, pts_cell_at(p, (uint32_t)*map_get(&p->heap, key), 0), 0);
        break;
    }
    case OP_LOAD:
        if (to)
            pts_emit(p, is_wide(i->type) ? C_RLOAD : C_LOAD, to, val(g, i->a),
                     mtype_bytes(i->type) ? mtype_bytes(i->type) : ALL_BYTES);
        break;
    case OP_STORE:
        pts_emit(p, is_wide(i->type) ? C_RSTORE : C_STORE, val(g, i->a), val(g, i->b),
                 mtype_bytes(i->type) ? mtype_bytes(i->type) : ALL_BYTES);
        break;
    case OP_FIELD:
        offset(g, to, val(g, i->a), (int32_t)i->b);
        break;
    case OP_INDEX:
        if (const_int(g->u, (Ref){i->b}, &n))
            offset(g, to, val(g, i->a), (int64_t)((uint64_t)n * i->c));
        else if (i->c >= g->u->pointer_bytes && i->c <= INT32_MAX)
            pts_emit(p, C_INDEX, to, val(g, i->a), i->c);
        else // elements without pointers: stays in its buffer
            pts_emit(p, C_COPY, to, val(g, i->a), 0);
        break;
    case OP_COPY:
        pts_emit(p, C_MOVE, val(g, i->a), val(g, i->b),
                 const_int(g->u, (Ref){i->c}, &n) && n >= 0 && n < ALL_BYTES ? n : ALL_BYTES);
        break;
    case OP_VA_COPY:
        pts_emit(p, C_MOVE, val(g, i->a), val(g, i->b), ALL_BYTES);
        break;
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        if (to) arithmetic(g, i, to);
        break;
    case OP_PTRTOINT:
    case OP_INTTOPTR:
    case OP_PART:
        if (to) pts_emit(p, C_COPY, to, val(g, i->a), 0);
        break;
    case OP_SETPART:
        pts_emit(p, C_COPY, to, val(g, i->a), 0);
        pts_emit(p, C_COPY, to, val(g, i->b), 0);
        break;
    case OP_SELECT:
        if (!to) break;
        pts_emit(p, C_COPY, to, val(g, i->b), 0);
        pts_emit(p, C_COPY, to, val(g, i->c), 0);
        break;
    case OP_PHI:
        for (uint32_t k = 0; to && k < i->c; k++)
            pts_emit(p, C_COPY, to, val(g, *func_extra(g->u, g->f, i->b + 2 * k + 1)), 0);
        break;
    case OP_OPAQUE:
        for (uint32_t k = 0; to && k < i->c; k++)
            pts_emit(p, C_COPY, to, val(g, *func_extra(g->u, g->f, i->b + k)), 0);
        break;
    case OP_LANDING:
        pts_emit(p, C_ADDR, to, NODE_UNKNOWN, 0);
        break;
    case OP_VA_START:
        va_start(g, val(g, i->a));
        break;
    case OP_VA_ARG: {
        if (!to) break;
        Node at = pts_node_new(p), area = pts_node_new(p);
        offset(g, at, val(g, i->a), 8);
        pts_emit(p, C_LOAD, area, at, 0);
        pts_emit(p, C_LOAD, to, area, 0);
        break;
    }
    case OP_CALL:
    case OP_INVOKE:
    case OP_ASM:
        pts_gen_call(p, g->id, g->unit, g->u, g->f, index);
        break;
    case OP_RET:
        pts_emit(p, C_COPY, p->ret[g->id.id], val(g, i->a), 0);
        break;
    default:
        break;
    }
}

static void gen_slots(Points *p, FuncId id, const Unit *u, const Func *f)
{
    Node *slots = arena_array_of(p->arena, Node, (size_t)f->param_count + f->ins_count);
    for (uint32_t k = 0; k < f->param_count; k++)
        if (pts_is_pointerish(u->params.at[f->first_param + k].mtype)) slots[k] = pts_node_new(p);
    for (uint32_t k = 0; k < f->ins_count; k++) {
        const Ins *i = func_ins(u, f, k);
        if (ins_has_result(i) && pts_is_pointerish(i->type))
            slots[f->param_count + k] = pts_node_new(p);
    }
    p->slots[id.id] = slots;
    p->values[id.id] = slots + f->param_count;
    p->ret[id.id] = pts_node_new(p);
}

static void gen_func(Points *p, FuncId id, bool library)
{
    const ProgFunc *pf = &p->program->funcs.at[id.id];
    const Unit *u;
    const Func *f = program_body(p->program, id, &u);
    Gen g = {p, id, pf->unit, u, f};
    // What others may call, they call with values that we do not know.
    bool open = library && !(pf->flags & (PROG_INTERNAL | PROG_HIDDEN));
    if (program_is_main(p->program, id) || (pf->flags & PROG_KEPT)) open = true;
    for (uint32_t k = 0; k < f->param_count; k++) {
        const Param *par = &u->params.at[f->first_param + k];
        if (par->flags & PARAM_BYVAL) {
            uint32_t o = pts_obj_new(p, (Obj){.is = {.kind = POBJ_BYVAL, .func = id, .index = k},
                                              .size = par->byval_size});
            pts_emit(p, C_ADDR, p->slots[id.id][k], pts_cell_at(p, o, 0), 0);
        } else if (open) {
            pts_emit(p, C_ADDR, p->slots[id.id][k], NODE_UNKNOWN, 0);
        }
    }
    if (open) pts_emit(p, C_COPY, NODE_ESCAPED, p->ret[id.id], 0);
    for (uint32_t k = 0; k < f->ins_count; k++) gen_ins(&g, k);
}

static void gen_global(Points *p, GlobalId id, bool library)
{
    const ProgGlobal *pg = &p->program->globals.at[id.id];
    const Unit *u = p->program->units[pg->unit];
    const Global *d = &u->globals.at[pg->global.id];
    if (d->flags & GLOBAL_STRING) return;
    bool defined = pg->flags & PROG_DEFINED;
    uint32_t o = 0;
    for (uint32_t k = 0; k < d->init_count; k++) {
        const Init *init = &u->inits.at[d->first_init + k];
        Ref r = {init->value};
        if (!ref_is_const(r)) continue;
        Node v = const_node(p, pg->unit, u, ref_index(r));
        if (!v) continue;
        if (!o) o = pts_obj_of_global(p, id);
        pts_emit(p, C_COPY, pts_cell_at(p, o, (int64_t)init->offset), v, 0);
    }
    // Another part of the program, which we do not see, may use it.
    if (!defined || (library && !(pg->flags & (PROG_INTERNAL | PROG_HIDDEN))) || (d->flags & GLOBAL_KEPT))
        pts_emit(p, C_ADDR, NODE_ESCAPED, pts_cell_at(p, pts_obj_of_global(p, id), 0), 0);
}

void pts_gen_program(Points *p)
{
    const Program *prog = p->program;
    bool library = true;
    for (uint32_t f = 1; f < prog->funcs.len; f++) {
        if (program_has_code(prog, (FuncId){f}) && program_is_main(prog, (FuncId){f}))
            library = false;
    }
    for (uint32_t f = 1; f < prog->funcs.len; f++) {
        const Unit *u;
        const Func *body = program_body(prog, (FuncId){f}, &u);
        const SpecFunc *s = program_spec(prog, p->specs, (FuncId){f});
        if (s && (!body || spec_beats_code(s))) p->spec[f] = s;
        if (body) gen_slots(p, (FuncId){f}, u, body);
    }
    pts_find_wrappers(p);
    for (uint32_t g = 1; g < prog->globals.len; g++) gen_global(p, (GlobalId){g}, library);
    for (uint32_t f = 1; f < prog->funcs.len; f++)
        if (p->slots[f]) gen_func(p, (FuncId){f}, library);
}
