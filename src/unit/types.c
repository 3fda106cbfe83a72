#include "unit/types.h"

TypeId plain_type(const Unit *u, TypeId t)
{
    for (int i = 0; i < 32 && t.id; i++) {
        const Type *y = &u->types.at[t.id];
        if ((y->kind != TYPE_TYPEDEF && y->kind != TYPE_CONST) || y->elem_count == 0) break;
        t = u->elems.at[y->first_elem].type;
    }
    return t;
}

bool member_at(Arena *a, const Unit *u, TypeId type, uint64_t offset, const char **path,
               TypeId *member)
{
    const char *text = "";
    for (int depth = 0; depth < 8; depth++) {
        type = plain_type(u, type);
        const Type *y = &u->types.at[type.id];
        if (y->kind == TYPE_ARRAY && y->elem_count) {
            TypeId elem = u->elems.at[y->first_elem].type;
            uint64_t size = u->types.at[plain_type(u, elem).id].size;
            if (!size) return false;
            text = arena_printf(a, "%s[%llu]", text, (unsigned long long)(offset / size));
            offset %= size;
            type = elem;
            continue;
        }
        if (y->kind != TYPE_STRUCT && y->kind != TYPE_UNION) break;
        const Elem *best = NULL;
        for (uint32_t i = 0; i < y->elem_count; i++) {
            const Elem *e = &u->elems.at[y->first_elem + i];
            uint64_t size = u->types.at[plain_type(u, e->type).id].size;
            if (e->offset / 8 <= offset && offset < e->offset / 8 + (size ? size : 1) &&
                (!best || e->offset > best->offset))
                best = e;
        }
        if (!best) return false;
        const char *name = name_text(u->names, best->name);
        if (*name) text = arena_printf(a, "%s%s%s", text, *text ? "." : "", name);
        offset -= best->offset / 8;
        type = best->type;
    }
    if (offset) return false;
    *path = text;
    *member = type;
    return true;
}

TypeId pointee(const Unit *u, TypeId type)
{
    const Type *t = &u->types.at[plain_type(u, type).id];
    return t->kind == TYPE_POINTER && t->elem_count ? u->elems.at[t->first_elem].type : (TypeId){0};
}

bool in_union(const Unit *u, TypeId type, uint64_t offset)
{
    for (int depth = 0; depth < 8; depth++) {
        type = plain_type(u, type);
        const Type *y = &u->types.at[type.id];
        if (y->kind == TYPE_UNION && y->elem_count > 1) return true;
        if (y->kind != TYPE_STRUCT) return false;
        const Elem *found = NULL;
        for (uint32_t i = 0; i < y->elem_count && !found; i++) {
            const Elem *e = &u->elems.at[y->first_elem + i];
            uint64_t size = u->types.at[plain_type(u, e->type).id].size;
            if (e->offset / 8 <= offset && offset < e->offset / 8 + size) found = e;
        }
        if (!found) return false;
        offset -= found->offset / 8;
        type = found->type;
    }
    return false;
}

static bool is_number(const Unit *u, TypeId type)
{
    TypeKind kind = (TypeKind)u->types.at[plain_type(u, type).id].kind;
    return kind == TYPE_INT || kind == TYPE_FLOAT || kind == TYPE_BOOL || kind == TYPE_ENUM;
}

uint64_t array_left(const Unit *u, TypeId type, uint64_t offset)
{
    for (int depth = 0; depth < 8; depth++) {
        type = plain_type(u, type);
        const Type *y = &u->types.at[type.id];
        if (y->kind == TYPE_ARRAY && y->elem_count) {
            TypeId elem = u->elems.at[y->first_elem].type;
            uint64_t size = u->types.at[plain_type(u, elem).id].size;
            if (is_number(u, elem)) return y->size > size && offset < y->size ? y->size - offset : 0;
            if (!size) return 0;
            offset %= size;
            type = elem;
            continue;
        }
        if (y->kind != TYPE_STRUCT) return 0;
        const Elem *found = NULL;
        for (uint32_t i = 0; i < y->elem_count && !found; i++) {
            const Elem *e = &u->elems.at[y->first_elem + i];
            uint64_t size = u->types.at[plain_type(u, e->type).id].size;
            if (e->offset / 8 <= offset && offset < e->offset / 8 + size) found = e;
        }
        if (!found) return 0;
        offset -= found->offset / 8;
        type = found->type;
    }
    return 0;
}
