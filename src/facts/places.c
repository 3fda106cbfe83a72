#include "facts/places.h"

#include "unit/types.h"

#include <string.h>

enum { DEPTH = 8 };

void places_free(Places *k)
{
    map_free(&k->shapes);
    map_free(&k->types);
}

static void note_type(Places *k, Ref r, TypeId type)
{
    bool fresh;
    TypeId to = pointee(k->u, type);
    if (to.id && !ref_is_none(r) && !ref_is_const(r)) map_at(&k->types, r.bits, to.id, &fresh);
}

void places_enter(Places *k, FuncId f)
{
    k->unit = k->p->funcs.at[f.id].unit;
    k->f = program_body(k->p, f, &k->u);
    map_clear(&k->types);
    for (uint32_t i = 0; i < k->f->param_count; i++)
        note_type(k, ref_param(i), k->u->params.at[k->f->first_param + i].type);
    for (uint32_t i = 0; i < k->f->ins_count; i++) {
        const Ins *in = func_ins(k->u, k->f, i);
        if (in->op == OP_BIND && in->b) note_type(k, (Ref){in->a}, k->u->vars.at[k->f->first_var + in->b - 1].type);
    }
}

static uint64_t shape_of(const Unit *u, const Type *t)
{
    const char *name = name_text(u->names, t->name);
    if (*name) return hash_mix(hash_bytes(name, strlen(name), 0), t->size) | 1;
    uint64_t h = t->size;
    for (uint32_t i = 0; i < t->elem_count; i++) {
        const Elem *e = &u->elems.at[t->first_elem + i];
        const char *member = name_text(u->names, e->name);
        h = hash_mix(hash_mix(h, hash_bytes(member, strlen(member), 0)), e->offset);
    }
    return h | 1;
}

uint64_t place_shape(Places *k, uint32_t unit, TypeId type)
{
    const Unit *u = k->p->units[unit];
    type = plain_type(u, type);
    const Type *t = &u->types.at[type.id];
    if (t->kind != TYPE_STRUCT || (t->flags & TYPE_DECLARED)) return 0;
    bool fresh;
    uint64_t *known = map_at(&k->shapes, map_pair(unit, type.id), 0, &fresh);
    if (fresh) *known = shape_of(u, t);
    return *known;
}

bool place_in(Places *k, uint32_t unit, TypeId type, uint64_t offset, Place *place)
{
    const Unit *u = k->p->units[unit];
    place->of = 0;
    place->offset = 0;
    place->element = false;
    for (int depth = 0; depth < DEPTH; depth++) {
        type = plain_type(u, type);
        const Type *t = &u->types.at[type.id];
        if (t->kind == TYPE_ARRAY && t->elem_count) {
            type = plain_type(u, u->elems.at[t->first_elem].type);
            uint64_t size = u->types.at[type.id].size;
            if (!size) return false;
            offset %= size;
            place->element = true;
            continue;
        }
        if (t->kind != TYPE_STRUCT) {
            place->type = type;
            place->bytes = (uint32_t)t->size;
            return offset == 0 && t->kind != TYPE_UNION && t->size && type.id;
        }
        place->of = place_shape(k, unit, type);
        const Elem *in = NULL;
        for (uint32_t i = 0; i < t->elem_count; i++) {
            const Elem *e = &u->elems.at[t->first_elem + i];
            if (e->bit_size) {
                if (e->offset / 8 == offset) return false;
            } else if (e->offset / 8 <= offset && offset < e->offset / 8 + u->types.at[plain_type(u, e->type).id].size) {
                in = e;
            }
        }
        if (!in || !place->of) return false;
        place->offset = (uint32_t)(in->offset / 8);
        place->element = false;
        offset -= in->offset / 8;
        type = in->type;
    }
    return false;
}

static bool find(Places *k, Ref address, Place *place, int depth);

// The type of what the value points to; none: not known.
static TypeId pointed(Places *k, Ref r, int depth)
{
    const uint64_t *known = map_get(&k->types, r.bits);
    if (known) return (TypeId){(uint32_t)*known};
    const Ins *i = ref_is_ins(r) ? func_ins(k->u, k->f, ref_index(r)) : NULL;
    if (i && i->op == OP_ALLOCA && i->b) return k->u->locals.at[k->f->first_local + i->b - 1].type;
    Place at;
    if (!i || i->op != OP_LOAD || !depth || !find(k, (Ref){i->a}, &at, depth - 1)) return (TypeId){0};
    return pointee(k->u, at.type);
}

bool places_beside(const Places *k, const Place *a, const Place *b)
{
    if (a->of != b->of || a->from != b->from || a->global.id != b->global.id) return false;
    if (ref_same(a->base, b->base)) return true;
    if (!ref_is_ins(a->base) || !ref_is_ins(b->base)) return false;
    const Ins *x = func_ins(k->u, k->f, ref_index(a->base)), *y = func_ins(k->u, k->f, ref_index(b->base));
    return x->op == OP_INDEX && y->op == OP_INDEX && x->a == y->a && x->b == y->b;
}

static bool find(Places *k, Ref address, Place *place, int depth)
{
    const Unit *u = k->u;
    int64_t offset = 0, behind = 0; // behind: the element of an array
    bool element = false;
    Ref r = address, of_element = ref_none();
    *place = (Place){0};
    for (const Ins *i; ref_is_ins(r);) {
        i = func_ins(u, k->f, ref_index(r));
        if (i->op == OP_FIELD) {
            offset += (int32_t)i->b;
        } else if (i->op == OP_INDEX) {
            // Elements of an array: which does not matter, where they are as large as what is there.
            const Type *t = &u->types.at[plain_type(u, pointed(k, (Ref){i->a}, depth)).id];
            if (t->kind != TYPE_STRUCT || t->size != i->c) return false;
            if (!element) of_element = r, behind = offset;
            element = true;
        } else {
            break;
        }
        r = (Ref){i->a};
    }
    TypeId type = {0};
    if (ref_is_const(r)) {
        const Const *c = &u->consts.at[ref_index(r)];
        if (c->kind != CONST_GLOBAL) return false;
        type = u->globals.at[c->target].type;
        offset += c->value;
        place->global = program_global(k->p, k->unit, (UGlobalId){c->target});
    } else {
        type = pointed(k, r, depth);
    }
    if (!type.id || offset < 0) return false;
    // What follows an element of an array is another one.
    uint64_t size = u->types.at[plain_type(u, type).id].size;
    if (size && (uint64_t)offset >= size) return false;
    if (!place_in(k, k->unit, type, (uint64_t)offset, place)) return false;
    place->base = element ? of_element : r;
    place->from = (element ? behind : offset) - place->offset;
    place->element |= element;
    return true;
}

bool place_at(Places *k, Ref address, Place *place)
{
    return find(k, address, place, DEPTH);
}
