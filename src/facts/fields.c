// Structs and fields by name: the same ones in all units.
#include "facts/fields.h"

#include "base/hash.h"
#include "facts/limits.h"
#include "unit/types.h"

#include <string.h>

static uint64_t text_hash(const char *text)
{
    return hash_bytes(text, strlen(text), 0);
}

uint64_t fields_struct(const Unit *u, TypeId id)
{
    id = plain_type(u, id);
    while (u->types.at[id.id].kind == TYPE_ARRAY && u->types.at[id.id].elem_count)
        id = plain_type(u, u->elems.at[u->types.at[id.id].first_elem].type);
    const Type *t = &u->types.at[id.id];
    const char *name = name_text(u->names, t->name);
    return t->kind == TYPE_STRUCT && *name ? text_hash(name) | 1 : 0;
}

TypeId fields_behind(const Unit *u, TypeId id)
{
    const Type *t = &u->types.at[plain_type(u, id).id];
    return t->kind == TYPE_POINTER && t->elem_count ? plain_type(u, u->elems.at[t->first_elem].type)
                                                    : (TypeId){0};
}

uint64_t fields_struct_behind(const Unit *u, TypeId id)
{
    return fields_struct(u, fields_behind(u, id));
}

static void note_type(Map *types, const Unit *u, Ref r, TypeId id)
{
    bool fresh;
    if (!ref_is_none(r) && !ref_is_const(r) && fields_struct_behind(u, id))
        map_at(types, r.bits, fields_behind(u, id).id, &fresh);
}

// The structs that values of a function point to: Ref -> TypeId.
void fields_types(Map *types, const Unit *u, const Func *f)
{
    map_clear(types);
    for (uint32_t i = 0; i < f->param_count; i++)
        note_type(types, u, ref_param(i), u->params.at[f->first_param + i].type);
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op == OP_BIND && in->b)
            note_type(types, u, (Ref){in->a}, u->vars.at[f->first_var + in->b - 1].type);
    }
}

static TypeId member_type(const Map *types, const Unit *u, const Func *f, const Ins *at, int depth);

TypeId fields_pointed(const Map *types, const Unit *u, const Func *f, Ref r, int depth)
{
    const uint64_t *known = map_get(types, r.bits);
    if (known) return (TypeId){(uint32_t)*known};
    const Ins *i = ref_is_ins(r) ? func_ins(u, f, ref_index(r)) : NULL;
    if (!i || i->op != OP_LOAD || !ref_is_ins((Ref){i->a}) || depth > LOOKS) return (TypeId){0};
    const Ins *at = func_ins(u, f, ref_index((Ref){i->a}));
    if (at->op != OP_FIELD) return (TypeId){0};
    return fields_behind(u, member_type(types, u, f, at, depth + 1));
}

// The type of the member that an OP_FIELD leads to; none where the struct is not known.
static TypeId member_type(const Map *types, const Unit *u, const Func *f, const Ins *at, int depth)
{
    const Type *t = &u->types.at[fields_pointed(types, u, f, (Ref){at->a}, depth).id];
    for (uint32_t n = 0; n < t->elem_count && t->kind == TYPE_STRUCT; n++) {
        const Elem *e = &u->elems.at[t->first_elem + n];
        if (e->offset == (uint64_t)at->b * 8 && e->name.id == at->c) return e->type;
    }
    return (TypeId){0};
}

// What is allocated and has no variable: it is of the type of the field that it is put into, of the
// function's result, of the parameter that it is passed as.
void fields_types_by_use(const Program *p, Map *types, FuncId id, const Unit *u, const Func *f)
{
    const Type *own = &u->types.at[f->type.id];
    for (uint32_t i = 0; i < f->ins_count; i++) {
        const Ins *in = func_ins(u, f, i);
        if (in->op == OP_RET && own->elem_count) {
            note_type(types, u, (Ref){in->a}, u->elems.at[own->first_elem].type);
        } else if (in->op == OP_STORE && ref_is_ins((Ref){in->a}) && ref_is_ins((Ref){in->b})) {
            const Ins *at = func_ins(u, f, ref_index((Ref){in->a}));
            if (at->op == OP_FIELD)
                note_type(types, u, (Ref){in->b}, member_type(types, u, f, at, 0));
        } else if (in->op == OP_CALL || in->op == OP_INVOKE) {
            const Unit *of;
            FuncId callee = program_callee(p, p->funcs.at[id.id].unit, u, (Ref){in->a});
            const Func *decl = callee.id ? program_decl(p, callee, &of) : NULL;
            for (uint32_t n = 0; decl && of == u && n < in->c && n < decl->param_count; n++)
                note_type(types, u, (Ref){*func_extra(u, f, in->b + n)},
                          u->params.at[decl->first_param + n].type);
        }
    }
}

bool fields_at(const Map *types, const Unit *u, const Func *f, Ref address, Field *field)
{
    const Ins *i = ref_is_ins(address) ? func_ins(u, f, ref_index(address)) : NULL;
    if (!i || i->op != OP_FIELD || !i->c) return false;
    const char *name = name_text(u->names, (Name){i->c}), *dot = strrchr(name, '.');
    uint64_t last = text_hash(dot ? dot + 1 : name);
    *field = (Field){.name = hash_mix(last, 1), .base = {i->a}};
    if (!dot) field->of = fields_struct(u, fields_pointed(types, u, f, (Ref){i->a}, 0));
    field->key = hash_mix(hash_mix(field->of, last), i->b + 2ull);
    return true;
}
