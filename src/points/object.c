// Objects and their cells. A cell is an object and a byte offset, brought to one form: elements of
// an array count as its first element, a place inside a scalar as the scalar's beginning. Locals
// and globals know their source type, which says where the arrays are. Heap memory has none: it is
// an array from where code has indexed it by at least the size of a pointer.
#include "points/points_int.h"

#include <stdlib.h>

Node pts_node_new(Points *p)
{
    if (p->cells.len > 1u << 30) die("points: too many nodes");
    Node n = p->cells.len;
    vec_push(&p->cells, ((CellInfo){0}));
    vec_push(&p->rep, n);
    if (p->nodes.len) { // the solution has begun
        vec_push(&p->nodes, ((NodeInfo){0}));
        vec_push(&p->succ, ((SBits){0}));
    }
    return n;
}

uint32_t pts_obj_new(Points *p, Obj o)
{
    vec_push(&p->objs, o);
    return p->objs.len - 1;
}

uint32_t pts_obj_of_func(Points *p, FuncId f)
{
    if (!p->func_obj[f.id])
        p->func_obj[f.id] =
            pts_obj_new(p, (Obj){.is = {.kind = POBJ_FUNC, .func = f, .collapsed = true}});
    return p->func_obj[f.id];
}

uint32_t pts_obj_of_global(Points *p, GlobalId g)
{
    if (p->global_obj[g.id]) return p->global_obj[g.id];
    const ProgGlobal *pg = &p->program->globals.at[g.id];
    const Unit *u = p->program->units[pg->unit];
    const Global *d = &u->globals.at[pg->global.id];
    uint32_t o;
    if (d->flags & GLOBAL_STRING) {
        // No leak hides in a literal: one object for all keeps the sets small.
        if (!p->strings)
            p->strings = pts_obj_new(p, (Obj){.is = {.kind = POBJ_STRINGS, .collapsed = true}});
        o = p->strings;
    } else {
        o = pts_obj_new(p, (Obj){.is = {.kind = POBJ_GLOBAL, .index = g.id},
                                 .unit = pg->unit,
                                 .type = d->type,
                                 .size = pg->size});
    }
    return p->global_obj[g.id] = o;
}

uint32_t pts_obj_of_heap(Points *p, FuncId caller, uint32_t ins, int16_t which, FuncId maker)
{
    uint64_t key = map_pair(caller.id, ins) * 64 + (uint16_t)(which + 2) % 64;
    bool fresh;
    uint64_t *at = map_at(&p->heap, key, 0, &fresh);
    if (fresh) {
        uint32_t o = pts_obj_new(p, (Obj){.is = {POBJ_HEAP, .func = caller, .index = ins,
                                                 .which = which, .maker = maker}});
        *map_get(&p->heap, key) = o;
        return o;
    }
    return (uint32_t)*at;
}

static TypeId plain(const Unit *u, TypeId t)
{
    while (u->types.at[t.id].elem_count &&
           (u->types.at[t.id].kind == TYPE_TYPEDEF || u->types.at[t.id].kind == TYPE_CONST))
        t = u->elems.at[u->types.at[t.id].first_elem].type;
    return t;
}

void pts_find_orderly(Points *p)
{
    p->orderly = arena_array_of(p->arena, Bits, p->program->unit_count);
    for (uint32_t k = 0; k < p->program->unit_count; k++) {
        const Unit *u = p->program->units[k];
        p->orderly[k] = bits_new(p->arena, u->types.len);
        vec_each (t, &u->types) {
            const Type *type = &u->types.at[t];
            if (type->kind != TYPE_STRUCT || type->elem_count <= FEW_MEMBERS) continue;
            const Elem *e = &u->elems.at[type->first_elem];
            uint32_t i = 1;
            while (i < type->elem_count && e[i - 1].offset < e[i].offset) i++;
            if (i == type->elem_count) bits_add(&p->orderly[k], t);
        }
    }
}

// The member of a struct in which a byte lies: the last that begins there or before it. An empty
// base class shares its place with the first member. Structs of a thousand fields are looked at for
// each of their fields, so those whose members are in order are searched by halves.
static const Elem *member_at(const Points *p, uint32_t unit, TypeId t, uint64_t off)
{
    const Unit *u = p->program->units[unit];
    const Type *type = &u->types.at[t.id];
    const Elem *elems = &u->elems.at[type->first_elem], *hit = NULL;
    if (bits_has(&p->orderly[unit], t.id)) {
        uint32_t low = 0, high = type->elem_count;
        while (low < high) {
            uint32_t mid = (low + high) / 2;
            if (elems[mid].offset / 8 > off)
                high = mid;
            else
                low = mid + 1;
        }
        return low ? &elems[low - 1] : NULL;
    }
    for (uint32_t i = 0; i < type->elem_count; i++) {
        const Elem *e = &elems[i];
        if (e->offset / 8 > off) continue;
        if (hit && e->offset == hit->offset && !u->types.at[plain(u, e->type).id].size) continue;
        if (!hit || e->offset >= hit->offset) hit = e;
    }
    return hit;
}

// An offset by the source type: arrays give their first element. Inside a union members overlap,
// so bytes stay what they are there.
static uint64_t by_type(const Points *p, uint32_t unit, TypeId t, uint64_t off, bool *array)
{
    const Unit *u = p->program->units[unit];
    uint64_t base = 0;
    for (;;) {
        t = plain(u, t);
        const Type *type = &u->types.at[t.id];
        if (type->kind == TYPE_ARRAY && type->elem_count) {
            TypeId elem = plain(u, u->elems.at[type->first_elem].type);
            uint64_t size = u->types.at[elem.id].size;
            *array = true;
            if (!size) return base;
            off %= size;
            t = elem;
        } else if (type->kind == TYPE_STRUCT && type->elem_count) {
            const Elem *hit = member_at(p, unit, t, off);
            if (!hit || hit->type.id == 0) return base + off;
            base += hit->offset / 8;
            off -= hit->offset / 8;
            t = hit->type;
        } else if (type->kind == TYPE_UNION || type->size == 0) {
            *array = true; // bytes that several members share
            return base + off;
        } else {
            return base; // a scalar
        }
    }
}

// A program has many variables of few types, and their types lie far apart in memory.
static Form *form_of(Points *p, const Obj *o)
{
    bool fresh;
    uint64_t *at = map_at(&p->forms, map_pair(o->unit, o->type.id), 0, &fresh);
    if (!fresh) return (Form *)(uintptr_t)*at;
    const Unit *u = p->program->units[o->unit];
    const Type *t = &u->types.at[plain(u, o->type).id];
    bool array = false;
    for (; t->kind == TYPE_ARRAY && t->elem_count; array = true)
        t = &u->types.at[plain(u, u->elems.at[t->first_elem].type).id];
    uint32_t size = t->size <= FORM_BYTES ? (uint32_t)t->size : 0;
    Form *made = arena_alloc(p->arena, sizeof *made + size * sizeof *made->at);
    made->array = array;
    made->size = size;
    *at = (uintptr_t)made;
    return made;
}

static int64_t canonical(Points *p, Obj *o, int64_t off)
{
    if (o->is.collapsed) return 0;
    if (off < 0) return -1;
    if (!o->type.id) {
        if (o->stride && off >= o->start) off = o->start + (off - o->start) % o->stride;
        return off;
    }
    const Unit *u = p->program->units[o->unit];
    if (o->size && (uint64_t)off >= o->size && u->types.at[plain(u, o->type).id].kind != TYPE_ARRAY)
        return -1;
    bool array = false;
    if (!o->form) o->form = form_of(p, o);
    uint32_t size = o->form->size;
    if (size && o->form->array) off %= size;
    if (off >= size) return (int64_t)by_type(p, o->unit, o->type, (uint64_t)off, &array);
    uint16_t *known = &o->form->at[off];
    if (!*known) *known = (uint16_t)(by_type(p, o->unit, o->type, (uint64_t)off, &array) + 1);
    return *known - 1;
}

bool points_cell_is_single(const Points *p, uint32_t cell)
{
    const Obj *o = &p->objs.at[p->cells.at[cell].obj];
    if (o->is.kind != POBJ_LOCAL || o->is.collapsed || !o->type.id) return false;
    if (p->program->sccs.at[p->program->funcs.at[o->is.func.id].scc.id].count > 1) return false;
    bool array = false;
    by_type(p, o->unit, o->type, p->cells.at[cell].off, &array);
    return !array;
}

// Where the offset is or would be.
static uint32_t place_of(const Obj *o, uint32_t off)
{
    uint32_t low = 0, high = o->cells.len;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (o->cells.at[mid].off < off)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void collapse(Points *p, uint32_t obj)
{
    Obj *o = &p->objs.at[obj];
    o->is.collapsed = true;
    o->shape++;
    o->changed = ++p->changes;
    Node first = o->cells.at[0].cell;
    for (uint32_t i = 1; i < o->cells.len; i++) pts_unite(p, first, o->cells.at[i].cell);
    o = &p->objs.at[obj];
    o->cells.len = 1;
    o->cells.at[0].off = 0;
    p->cells.at[first].off = 0;
}

Node pts_cell_at(Points *p, uint32_t obj, int64_t off)
{
    int64_t c = canonical(p, &p->objs.at[obj], off);
    if (c < 0 || c > INT32_MAX) return NODE_NONE;
    Obj *o = &p->objs.at[obj];
    uint32_t k = place_of(o, (uint32_t)c);
    if (k < o->cells.len && o->cells.at[k].off == c) return o->cells.at[k].cell;
    if (!o->type.id && o->cells.len >= MAX_CELLS) {
        collapse(p, obj);
        return p->objs.at[obj].cells.at[0].cell;
    }
    Node n = pts_node_new(p);
    p->cells.at[n] = (CellInfo){obj, (uint32_t)c, o->newest};
    vec_push(&o->cells, ((ObjCell){0}));
    memmove(o->cells.at + k + 1, o->cells.at + k, (o->cells.len - 1 - k) * sizeof *o->cells.at);
    o->cells.at[k] = (ObjCell){(uint32_t)c, n};
    o->newest = n;
    o->changed = ++p->changes;
    if (p->online) {
        vec_each (i, &o->watchers) vec_push(&p->pending, o->watchers.at[i]);
        if (o->is.escaped) pts_widen(p, n);
    }
    return n;
}

Node pts_field_of(Points *p, Node cell, int32_t value)
{
    return pts_cell_at(p, p->cells.at[cell].obj, (int64_t)p->cells.at[cell].off + value);
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

void pts_obj_stride(Points *p, uint32_t obj, uint32_t off, uint32_t scale)
{
    Obj *o = &p->objs.at[obj];
    if (o->type.id || o->is.collapsed || o->is.kind == POBJ_UNKNOWN) return;
    uint32_t start = off, stride = scale;
    if (o->stride) {
        start = off < o->start ? off : o->start;
        stride = gcd(o->stride, scale);
        stride = gcd(stride, (off > o->start ? off : o->start) - start);
        if (start == o->start && stride == o->stride) return;
    }
    o->start = start;
    o->stride = stride;
    o->shape++;
    o->changed = ++p->changes;
    // Cells that are now the same place become one.
    VEC(ObjCell) old = {0};
    vec_append(&old, o->cells.at, o->cells.len);
    o->cells.len = 0;
    vec_each (i, &old) {
        o = &p->objs.at[obj];
        uint32_t c = (uint32_t)canonical(p, o, old.at[i].off);
        uint32_t k = place_of(o, c);
        if (k < o->cells.len && o->cells.at[k].off == c) {
            pts_unite(p, o->cells.at[k].cell, old.at[i].cell);
            continue;
        }
        vec_push(&o->cells, ((ObjCell){0}));
        memmove(o->cells.at + k + 1, o->cells.at + k, (o->cells.len - 1 - k) * sizeof *o->cells.at);
        o->cells.at[k] = (ObjCell){c, old.at[i].cell};
        p->cells.at[old.at[i].cell].off = c;
    }
    vec_free(&old);
}

Node pts_addr_of(Points *p, Node cell)
{
    bool fresh;
    uint64_t *at = map_at(&p->addrs, cell, 0, &fresh);
    if (!fresh) return (Node)*at;
    Node n = pts_node_new(p);
    *map_get(&p->addrs, cell) = n;
    pts_emit(p, C_ADDR, n, cell, 0);
    return n;
}
