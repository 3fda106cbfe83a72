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

bool is_const_type(const Unit *u, TypeId t)
{
    for (int i = 0; i < 32 && u->types.at[t.id].kind == TYPE_TYPEDEF && u->types.at[t.id].elem_count; i++)
        t = u->elems.at[u->types.at[t.id].first_elem].type;
    return t.id && u->types.at[t.id].kind == TYPE_CONST;
}

bool is_lent_type(const Unit *u, TypeId to, bool sized)
{
    if (!is_const_type(u, to)) return false;
    TypeKind kind = u->types.at[plain_type(u, to).id].kind;
    return sized || (kind != TYPE_VOID && kind != TYPE_NONE && kind != TYPE_CONST);
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

const Elem *innermost_member(const Unit *u, TypeId type, uint64_t offset)
{
    const Elem *found = NULL;
    for (int depth = 0; depth < 8; depth++) {
        type = plain_type(u, type);
        const Type *y = &u->types.at[type.id];
        const Elem *here = NULL;
        if (y->kind == TYPE_ARRAY && y->elem_count) {
            TypeId elem = u->elems.at[y->first_elem].type;
            uint64_t size = u->types.at[plain_type(u, elem).id].size;
            if (!size) return NULL;
            offset %= size;
            type = elem;
            if (u->types.at[plain_type(u, elem).id].kind == TYPE_STRUCT) found = NULL;
            continue;
        }
        if (y->kind != TYPE_STRUCT) break;
        for (uint32_t i = 0; i < y->elem_count && !here; i++) {
            const Elem *e = &u->elems.at[y->first_elem + i];
            uint64_t size = u->types.at[plain_type(u, e->type).id].size;
            if (e->offset / 8 <= offset && offset < e->offset / 8 + (size ? size : 1)) here = e;
        }
        if (!here) return NULL;
        found = here;
        offset -= here->offset / 8;
        type = here->type;
    }
    return offset ? NULL : found;
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

static const char *words_of(Arena *a, const Unit *u, TypeId type, int depth)
{
    const Type *t = &u->types.at[type.id];
    const char *name = name_text(u->names, t->name);
    TypeId to = t->elem_count ? u->elems.at[t->first_elem].type : (TypeId){0};
    bool cxx = strcmp(name_text(u->names, u->language), "c") != 0;
    if (depth > 20) return "...";
    switch ((TypeKind)t->kind) {
    case TYPE_POINTER:
    case TYPE_REFERENCE: {
        const char *of = words_of(a, u, to, depth + 1), *mark = t->kind == TYPE_POINTER ? "*" : "&";
        size_t n = strlen(of);
        return arena_printf(a, "%s%s%s", of, n && of[n - 1] == '*' ? "" : " ", mark);
    }
    case TYPE_ARRAY:
        return arena_printf(a, "%s[%u]", words_of(a, u, to, depth + 1), t->count);
    case TYPE_CONST: {
        const char *of = words_of(a, u, to, depth + 1);
        bool pointer = u->types.at[to.id].kind == TYPE_POINTER;
        return arena_printf(a, pointer ? "%s const" : "const %s", of);
    }
    case TYPE_STRUCT:
        return !*name ? "struct" : cxx ? name : arena_printf(a, "struct %s", name);
    case TYPE_UNION:
        return !*name ? "union" : cxx ? name : arena_printf(a, "union %s", name);
    case TYPE_ENUM:
        return !*name ? "enum" : cxx ? name : arena_printf(a, "enum %s", name);
    case TYPE_FUNC:
        return arena_printf(a, "%s ()", words_of(a, u, to, depth + 1));
    case TYPE_NONE:
    case TYPE_VOID:
        return "void";
    default:
        return *name ? name : "...";
    }
}

const char *type_words(Arena *a, const Unit *u, TypeId type)
{
    return words_of(a, u, type, 0);
}
