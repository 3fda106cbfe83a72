// Names of fields. LLVM's structs have names but their elements do not; debug information has
// both. They are matched by name and size once all types are known: `struct.foo` with the
// structure foo, or with what typedef foo names when the structure itself has no name; C++
// template arguments are left out on both sides, since specialisations of one size have the same
// field names in practice. A struct without a name is found through the field that holds it.
// No match: no name, which costs a word in a report only.
#include "lower/lower_int.h"

#include <ctype.h>

uint32_t lower_field_node(Lower *l, uint32_t parent, bool joined, LLVMTypeRef type, uint32_t index)
{
    if (!l->fields.len) vec_extend(&l->fields, 1);
    // Nodes of one chain share a prefix. Pointers are 48 bits wide, so mixing the parts can make
    // equal keys; those are told apart by the comparison and the next key.
    uint64_t key = (uintptr_t)type * 0x9e3779b97f4a7c15u + index * 0x100000001b3u +
                   ((uint64_t)parent << 1 | joined) * 0xd6e8feb86659fd93u;
    for (;; key++) {
        bool fresh;
        uint64_t *at = map_at(&l->field_keys, key, l->fields.len, &fresh);
        if (fresh) break;
        const FieldNode *n = &l->fields.at[*at];
        if (n->type == type && n->index == index && n->parent == parent && n->joined == joined)
            return (uint32_t)*at;
    }
    FieldNode n = {.parent = parent, .joined = joined, .type = type, .index = index};
    vec_push(&l->fields, n);
    return l->fields.len - 1;
}

// The name without template arguments.
static Name plain_name(Lower *l, const char *s, size_t len)
{
    Chars out = {0};
    int depth = 0;
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '<') depth++;
        if (depth == 0) vec_push(&out, s[i]);
        if (s[i] == '>' && depth > 0) depth--;
    }
    Name n = name_of_n(l->u->names, out.at ? out.at : "", out.len);
    vec_free(&out);
    return n;
}

// "struct.ns::foo.12" -> "ns::foo"; 0 for anonymous ones.
static Name struct_key(Lower *l, LLVMTypeRef t)
{
    const char *s = LLVMIsLiteralStruct(t) ? NULL : LLVMGetStructName(t);
    if (!s) return (Name){0};
    const char *dot = strchr(s, '.');
    if (!dot) return (Name){0};
    s = dot + 1;
    size_t len = strlen(s);
    for (size_t i = len; i > 0 && isdigit((unsigned char)s[i - 1]); i--)
        if (i >= 2 && s[i - 2] == '.') {
            len = i - 2;
            break;
        }
    if (len > 5 && memcmp(s + len - 5, ".base", 5) == 0) len -= 5;
    if (len == 4 && memcmp(s, "anon", 4) == 0) return (Name){0};
    return plain_name(l, s, len);
}

typedef struct {
    uint32_t type, next; // next candidate of the same name, index + 1
} SameName;

typedef struct {
    Map first; // Name -> candidate, index + 1
    VEC(SameName) list;
} Candidates;

static void add_candidate(Candidates *c, Name key, uint32_t type)
{
    uint64_t *at = map_at(&c->first, key.id, 0, NULL);
    SameName n = {.type = type, .next = (uint32_t)*at};
    vec_push(&c->list, n);
    *at = c->list.len;
}

static bool is_record(const Type *t)
{
    return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

static void collect(Lower *l, Candidates *c)
{
    Unit *u = l->u;
    // From the last to the first, so that the first one is tried first.
    for (uint32_t i = u->types.len; i-- > 1;) {
        const Type *t = &u->types.at[i];
        uint32_t record = i;
        if (t->kind == TYPE_TYPEDEF && t->elem_count) {
            record = u->elems.at[t->first_elem].type.id;
            if (u->types.at[record].name.id) continue;
        }
        if (!t->name.id || !is_record(&u->types.at[record]) || !u->types.at[record].elem_count)
            continue;
        Name key = t->name;
        if (strchr(name_text(u->names, key), '<'))
            key = plain_name(l, name_text(u->names, key), name_len(u->names, key));
        add_candidate(c, key, record);
    }
}

// The element of a record at a bit offset; null when there is none. A bit field shares its place
// with others and so does a member of a union, so they name nothing.
static const Elem *elem_at(const Unit *u, uint32_t type, uint64_t bit)
{
    const Type *t = &u->types.at[type];
    if (t->kind == TYPE_UNION && t->elem_count > 1) return NULL;
    for (uint32_t i = 0; i < t->elem_count; i++) {
        const Elem *e = &u->elems.at[t->first_elem + i];
        if (e->offset == bit && !e->bit_size) return e;
    }
    return NULL;
}

// The source type that the field's address points to, seen through arrays.
static uint32_t record_in(const Unit *u, TypeId t)
{
    for (;;) {
        t = lower_strip(u, t);
        const Type *type = &u->types.at[t.id];
        if (type->kind != TYPE_ARRAY || !type->elem_count) return is_record(type) ? t.id : 0;
        t = u->elems.at[type->first_elem].type;
    }
}

static void resolve(Lower *l, const Candidates *c, FieldNode *n)
{
    Unit *u = l->u;
    uint64_t size = lower_type(l, n->type)->size;
    uint64_t bit = LLVMOffsetOfElement(l->layout, n->type, n->index) * 8;
    const Elem *found = NULL;
    Name key = struct_key(l, n->type);
    uint64_t *at = key.id ? map_get(&c->first, key.id) : NULL;
    for (uint32_t i = at ? (uint32_t)*at : 0; i && !found; i = c->list.at[i - 1].next) {
        uint32_t type = c->list.at[i - 1].type;
        if (u->types.at[type].size == size) found = elem_at(u, type, bit);
    }
    const FieldNode *parent = &l->fields.at[n->parent];
    if (!found && !key.id && n->parent) {
        uint32_t type = record_in(u, parent->elem);
        if (type && u->types.at[type].size == size) found = elem_at(u, type, bit);
    }
    // ".base" structs lack the tail padding, so their size is no help.
    for (uint32_t i = at ? (uint32_t)*at : 0; i && !found; i = c->list.at[i - 1].next)
        if (u->types.at[c->list.at[i - 1].type].size > size)
            found = elem_at(u, c->list.at[i - 1].type, bit);
    if (found) {
        n->elem = found->type;
        n->name = found->name;
    }
    if (n->joined && n->parent && parent->name.id && !n->name.id)
        n->name = parent->name;
    else if (n->joined && n->parent && parent->name.id)
        n->name = name_printf(u->names, "%s.%s", name_text(u->names, parent->name),
                              name_text(u->names, n->name));
}

void lower_fields_finish(Lower *l)
{
    if (!l->fields.len) return;
    Candidates c = {0};
    collect(l, &c);
    // A parent is always older than its children.
    for (uint32_t i = 1; i < l->fields.len; i++) resolve(l, &c, &l->fields.at[i]);
    vec_each (i, &l->u->ins) {
        Ins *ins = &l->u->ins.at[i];
        if (ins->op == OP_FIELD && ins->c) ins->c = l->fields.at[ins->c].name.id;
    }
    map_free(&c.first);
    vec_free(&c.list);
}
