#include "facts/written.h"

#include "unit/types.h"

typedef struct {
    Written *w;
    const Program *p;
    const Points *points;
    Map seen; // sets that were looked at: address and size of the store -> 1
} Writes;

// The scalar at an offset, also inside arrays; false for members of unions.
static bool scalar_at(const Program *p, GlobalId g, uint64_t offset, TypeId *scalar, bool *element)
{
    const ProgGlobal *pg = &p->globals.at[g.id];
    const Unit *u = p->units[pg->unit];
    TypeId type = plain_type(u, u->globals.at[pg->global.id].type);
    enum { DEPTH = 8 };
    *element = false;
    for (int depth = 0; depth < DEPTH; depth++) {
        const Type *t = &u->types.at[type.id];
        if (t->kind == TYPE_ARRAY && t->elem_count) {
            type = plain_type(u, u->elems.at[t->first_elem].type);
            if (!u->types.at[type.id].size) return false;
            offset %= u->types.at[type.id].size;
            *element = true;
            continue;
        }
        if (t->kind != TYPE_STRUCT) {
            *scalar = type;
            return offset == 0 && t->kind != TYPE_UNION;
        }
        const Elem *in = NULL;
        for (uint32_t i = 0; i < t->elem_count; i++) {
            const Elem *e = &u->elems.at[t->first_elem + i];
            if (e->offset % 8 == 0 && e->offset / 8 <= offset &&
                offset < e->offset / 8 + u->types.at[plain_type(u, e->type).id].size)
                in = e;
        }
        if (!in) return false;
        offset -= in->offset / 8;
        type = plain_type(u, in->type);
    }
    return false;
}

// Elements of an array are not told apart by the points-to sets: a store to one of them counts for
// the variable as a whole.
static void write_global(Writes *k, GlobalId g, uint64_t offset, bool field)
{
    TypeId type;
    bool element;
    if (bits_has(&k->w->whole, g.id)) return;
    if (field && scalar_at(k->p, g, offset, &type, &element) && !element)
        map_set(&k->w->fields, map_pair(g.id, (uint32_t)offset), 1);
    else
        bits_add(&k->w->whole, g.id);
}

// A store of one scalar (`field`), or of any number of bytes.
static void write_to(Writes *k, FuncId f, const Unit *u, Ref to, bool field)
{
    if (ref_is_const(to)) {
        const Const *c = &u->consts.at[ref_index(to)];
        if (c->kind == CONST_GLOBAL)
            write_global(k, program_global(k->p, k->p->funcs.at[f.id].unit, (UGlobalId){c->target}),
                         (uint64_t)c->value, field);
        return;
    }
    const SBits *set = points_set(k->points, f, to);
    bool fresh = true;
    if (set) map_at(&k->seen, (uint64_t)(uintptr_t)set << 1 | field, 1, &fresh);
    if (!set || !fresh) return;
    uint32_t cell;
    for (SIter it = sbits_iter(set); sbits_step(&it, &cell);) {
        const PointsObj *o = points_object(k->points, points_cell_object(k->points, cell));
        if (o->kind != POBJ_GLOBAL) continue;
        bits_add(&k->w->reached, o->index);
        write_global(k, (GlobalId){o->index}, points_cell_offset(k->points, cell), field);
    }
}

// What a function that is known by its spec, or not at all, may do to its arguments. Unknown code
// has what it was given anyway.
static void write_by_call(Writes *k, FuncId f, const Unit *u, const Func *body, uint32_t ins)
{
    const Ins *in = func_ins(u, body, ins);
    U32s targets = {0};
    points_callees(k->points, f, ins, &targets);
    vec_each (t, &targets) {
        const SpecFunc *spec = points_spec(k->points, (FuncId){targets.at[t]});
        for (uint32_t n = 0; spec && n < in->c; n++) {
            const SpecParam *q = n < spec->param_count ? &spec->params[n] : &spec->rest;
            if (q->effect == SPEC_READS && q->place == SPEC_ITSELF) continue;
            write_to(k, f, u, (Ref){*func_extra(u, body, in->b + n)}, false);
        }
    }
    vec_free(&targets);
}

static void look_through(Writes *k, FuncId f)
{
    const Unit *u;
    const Func *body = program_body(k->p, f, &u);
    for (uint32_t i = 0; i < body->ins_count; i++) {
        const Ins *in = func_ins(u, body, i);
        switch ((Op)in->op) {
        case OP_STORE:
            write_to(k, f, u, (Ref){in->a}, mtype_bytes(in->type) <= u->pointer_bytes);
            break;
        case OP_COPY:
        case OP_FILL:
        case OP_VA_COPY:
            write_to(k, f, u, (Ref){in->a}, false);
            break;
        case OP_CALL:
        case OP_INVOKE:
            write_by_call(k, f, u, body, i);
            break;
        case OP_ASM:
        case OP_OPAQUE:
            for (uint32_t n = 0; n < in->c; n++)
                write_to(k, f, u, (Ref){*func_extra(u, body, in->b + n)}, false);
            break;
        default:
            break;
        }
    }
}

void written_find(Written *w, Arena *a, const Program *p, const Points *points, const Bits *ours)
{
    *w = (Written){.whole = bits_new(a, p->globals.len), .reached = bits_new(a, p->globals.len)};
    Writes k = {.w = w, .p = p, .points = points};
    for (uint32_t g = 1; g < p->globals.len; g++)
        if (!points || !bits_has(ours, g)) bits_add(&w->whole, g);
    for (uint32_t i = 1; points && i <= points_object_count(points); i++) {
        const PointsObj *o = points_object(points, (ObjId){i});
        if (o->kind == POBJ_GLOBAL && (o->escaped || o->collapsed)) bits_add(&w->whole, o->index);
    }
    for (uint32_t f = 1; points && f < p->funcs.len; f++)
        if (program_has_code(p, (FuncId){f})) look_through(&k, (FuncId){f});
    map_free(&k.seen);
}

void written_free(Written *w)
{
    map_free(&w->fields);
}

bool written_never(const Written *w, const Program *p, GlobalId g, int64_t offset, uint32_t bytes)
{
    TypeId type;
    bool element;
    if (bits_has(&w->whole, g.id) || offset < 0 || offset > UINT32_MAX ||
        map_get(&w->fields, map_pair(g.id, (uint32_t)offset)) ||
        !scalar_at(p, g, (uint64_t)offset, &type, &element))
        return false;
    const ProgGlobal *pg = &p->globals.at[g.id];
    const Type *t = &p->units[pg->unit]->types.at[type.id];
    return (t->kind == TYPE_INT || t->kind == TYPE_ENUM || t->kind == TYPE_BOOL) &&
           t->size == bytes;
}
