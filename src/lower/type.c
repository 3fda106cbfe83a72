// Source types from debug information. Only what is reachable from variables, parameters, globals
// and functions is lowered. A type gets its id when it is first met and its content later, from a
// queue, so that the elements of one type lie together and recursion in the source costs no stack.
//
// llvm-c has getters for a part of the metadata; the rest is read as operands (llvm.h names them).
#include "lower/lower_int.h"

#include <stdlib.h>

uint32_t lower_md_operands(Lower *l, LLVMMetadataRef md, LLVMValueRef *into, uint32_t max)
{
    if (!md) return 0;
    LLVMValueRef v = LLVMMetadataAsValue(l->context, md);
    uint32_t n = LLVMGetMDNodeNumOperands(v);
    if (n > max) return 0;
    LLVMGetMDNodeOperands(v, into);
    return n;
}

// One operand of a node; null when it has none there.
static LLVMValueRef operand(Lower *l, LLVMMetadataRef md, uint32_t i)
{
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = lower_md_operands(l, md, ops, DI_OPERANDS_MAX);
    return i < n ? ops[i] : NULL;
}

LLVMMetadataRef lower_md(LLVMValueRef op)
{
    return op && LLVMGetValueKind(op) == LLVMMetadataAsValueValueKind ? LLVMValueAsMetadata(op)
                                                                      : NULL;
}

Name lower_md_name(Lower *l, LLVMValueRef op)
{
    unsigned len;
    const char *s = op && LLVMIsAMDString(op) ? LLVMGetMDString(op, &len) : NULL;
    return s ? name_of_n(l->u->names, s, len) : (Name){0};
}

static bool is_type(LLVMMetadataRef md)
{
    if (!md) return false;
    switch (LLVMGetMetadataKind(md)) {
    case LLVMDIBasicTypeMetadataKind:
    case LLVMDIDerivedTypeMetadataKind:
    case LLVMDICompositeTypeMetadataKind:
    case LLVMDISubroutineTypeMetadataKind:
    case LLVMDIStringTypeMetadataKind:
        return true;
    default:
        return false;
    }
}

// "ns::outer::" for what stands inside; 0 at file level.
static Name scope_prefix(Lower *l, LLVMMetadataRef scope, uint32_t depth)
{
    if (!scope || depth > 64) return (Name){0};
    uint32_t kind = LLVMGetMetadataKind(scope);
    if (kind != LLVMDINamespaceMetadataKind && kind != LLVMDICompositeTypeMetadataKind)
        return (Name){0};
    uint64_t *at = map_get(&l->di_scopes, (uintptr_t)scope);
    if (at) return (Name){(uint32_t)*at};
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = lower_md_operands(l, scope, ops, DI_OPERANDS_MAX);
    if (n <= DI_NAME) return (Name){0};
    Name outer = scope_prefix(l, lower_md(ops[DI_SCOPE]), depth + 1);
    Name own = lower_md_name(l, ops[DI_NAME]);
    const char *text = name_text(l->u->names, own);
    if (!own.id) text = kind == LLVMDINamespaceMetadataKind ? "(anonymous namespace)" : "";
    Name prefix =
        *text ? name_printf(l->u->names, "%s%s::", name_text(l->u->names, outer), text) : outer;
    map_set(&l->di_scopes, (uintptr_t)scope, prefix.id);
    return prefix;
}

Name lower_qualified(Lower *l, LLVMMetadataRef scope, Name name)
{
    if (!name.id) return name;
    Name prefix = scope_prefix(l, scope, 0);
    if (!prefix.id) return name;
    return name_printf(l->u->names, "%s%s", name_text(l->u->names, prefix),
                       name_text(l->u->names, name));
}

static TypeId new_type(Lower *l, TypeKind kind)
{
    Type t = {.kind = (uint32_t)kind};
    vec_push(&l->u->types, t);
    return (TypeId){l->u->types.len - 1};
}

static TypeId void_type(Lower *l)
{
    if (!l->void_type.id) {
        l->void_type = new_type(l, TYPE_VOID);
        l->u->types.at[l->void_type.id].name = name_of(l->u->names, "void");
    }
    return l->void_type;
}

static TypeId type_or_void(Lower *l, LLVMMetadataRef md)
{
    return md ? lower_di_type(l, md) : void_type(l);
}

static TypeKind kind_of(LLVMMetadataRef md)
{
    switch (LLVMGetMetadataKind(md)) {
    case LLVMDIBasicTypeMetadataKind:
        // 0x3b is DW_TAG_unspecified_type, nullptr_t; the encoding is read at the end
        return LLVMGetDINodeTag(md) == 0x3b ? TYPE_OTHER : TYPE_INT;
    case LLVMDISubroutineTypeMetadataKind:
        return TYPE_FUNC;
    case LLVMDIDerivedTypeMetadataKind:
        switch (LLVMGetDINodeTag(md)) {
        case TAG_POINTER:
            return TYPE_POINTER;
        case TAG_REFERENCE:
        case TAG_RVALUE_REFERENCE:
            return TYPE_REFERENCE;
        case TAG_CONST:
            return TYPE_CONST;
        case TAG_TYPEDEF:
            return TYPE_TYPEDEF;
        default:
            return TYPE_OTHER;
        }
    case LLVMDICompositeTypeMetadataKind:
        switch (LLVMGetDINodeTag(md)) {
        case TAG_STRUCT:
        case TAG_CLASS:
            return TYPE_STRUCT;
        case TAG_UNION:
            return TYPE_UNION;
        case TAG_ENUM:
            return TYPE_ENUM;
        case TAG_ARRAY:
            return TYPE_ARRAY;
        default:
            return TYPE_OTHER;
        }
    default:
        return TYPE_OTHER;
    }
}

TypeId lower_di_type(Lower *l, LLVMMetadataRef md)
{
    // volatile, restrict and _Atomic say nothing that a later stage asks for
    for (uint32_t depth = 0; is_type(md); depth++) {
        uint16_t tag = LLVMGetDINodeTag(md);
        bool see_through = tag == TAG_VOLATILE || tag == TAG_RESTRICT || tag == TAG_ATOMIC;
        if (!see_through || LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind) break;
        if (depth > 64) return (TypeId){0};
        md = lower_md(operand(l, md, DI_BASE_TYPE));
        if (!md) return void_type(l);
    }
    if (!is_type(md)) return (TypeId){0};
    uint64_t *at = map_get(&l->di_types, (uintptr_t)md);
    if (at) return (TypeId){(uint32_t)*at};
    TypeId id = new_type(l, kind_of(md));
    map_set(&l->di_types, (uintptr_t)md, id.id);
    PendingType p = {md, id};
    vec_push(&l->type_queue, p);
    return id;
}

static uint64_t bytes_of(LLVMMetadataRef md)
{
    return (LLVMDITypeGetSizeInBits(md) + 7) / 8;
}

static void add_elem(Lower *l, Elem e)
{
    vec_push(&l->u->elems, e);
}

// Members, base classes: what has a place in the object.
static void fill_record(Lower *l, LLVMMetadataRef elements)
{
    if (!elements || LLVMGetMetadataKind(elements) != LLVMMDTupleMetadataKind) return;
    LLVMValueRef node = LLVMMetadataAsValue(l->context, elements);
    uint32_t n = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *ops = mem_alloc((n + 1) * sizeof *ops);
    LLVMGetMDNodeOperands(node, ops);
    for (uint32_t i = 0; i < n; i++) {
        LLVMMetadataRef m = lower_md(ops[i]);
        if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind) continue;
        uint16_t tag = LLVMGetDINodeTag(m);
        LLVMDIFlags flags = LLVMDITypeGetFlags(m);
        if (tag != TAG_MEMBER && tag != TAG_INHERITANCE) continue;
        if (flags & LLVMDIFlagStaticMember) continue;
        LLVMValueRef member[DI_OPERANDS_MAX];
        uint32_t count = lower_md_operands(l, m, member, DI_OPERANDS_MAX);
        if (count <= DI_BASE_TYPE) continue;
        Elem e = {.offset = LLVMDITypeGetOffsetInBits(m)};
        e.type = lower_di_type(l, lower_md(member[DI_BASE_TYPE]));
        e.name = lower_md_name(l, member[DI_NAME]);
        if (flags & LLVMDIFlagBitField) e.bit_size = (uint32_t)LLVMDITypeGetSizeInBits(m);
        if (tag == TAG_INHERITANCE) {
            // The place of a virtual base is known at run time only.
            uint32_t inheritance = (uint32_t)flags >> 16 & 3;
            if (inheritance == 3 || flags & LLVMDIFlagVirtual) continue;
            e.flags = TYPE_BASE_CLASS;
        }
        add_elem(l, e);
    }
    mem_free(ops);
}

// Several dimensions become arrays of arrays; the queue's type is the outermost.
static void fill_array(Lower *l, TypeId id, LLVMMetadataRef base, LLVMMetadataRef dimensions,
                       uint64_t size)
{
    LLVMValueRef ops[64];
    uint32_t n = 0;
    if (dimensions && LLVMGetMetadataKind(dimensions) == LLVMMDTupleMetadataKind)
        n = lower_md_operands(l, dimensions, ops, 64);
    for (uint32_t i = 0; i < n || i == 0; i++) {
        uint64_t count = 0;
        LLVMMetadataRef range = i < n ? lower_md(ops[i]) : NULL;
        if (range && LLVMGetMetadataKind(range) == LLVMDISubrangeMetadataKind) {
            LLVMValueRef k = operand(l, range, 0);
            if (k && LLVMGetValueKind(k) == LLVMConstantIntValueKind) {
                int64_t value = LLVMConstIntGetSExtValue(k);
                if (value > 0) count = (uint64_t)value;
            }
        }
        TypeId of = i + 1 < n ? new_type(l, TYPE_ARRAY) : type_or_void(l, base);
        Type *t = &l->u->types.at[id.id];
        t->size = size;
        t->count = count > UINT32_MAX ? 0 : (uint32_t)count;
        t->first_elem = l->u->elems.len;
        t->elem_count = 1;
        add_elem(l, (Elem){.type = of});
        size = count ? size / count : 0;
        id = of;
    }
}

uint32_t lower_di_subroutine(Lower *l, LLVMMetadataRef subroutine, LLVMMetadataRef *into,
                             uint32_t max)
{
    if (!subroutine || LLVMGetMetadataKind(subroutine) != LLVMDISubroutineTypeMetadataKind)
        return 0;
    LLVMMetadataRef list = lower_md(operand(l, subroutine, DI_SUBROUTINE_TYPES));
    if (!list || LLVMGetMetadataKind(list) != LLVMMDTupleMetadataKind) return 0;
    LLVMValueRef node = LLVMMetadataAsValue(l->context, list);
    uint32_t n = LLVMGetMDNodeNumOperands(node);
    if (n > max) return 0;
    LLVMValueRef *ops = mem_alloc((n + 1) * sizeof *ops);
    LLVMGetMDNodeOperands(node, ops);
    for (uint32_t i = 0; i < n; i++) into[i] = lower_md(ops[i]);
    mem_free(ops);
    return n;
}

enum { SUBROUTINE_MAX = 1024 };

static void fill_func(Lower *l, TypeId id, LLVMMetadataRef md)
{
    LLVMMetadataRef *types = mem_alloc(SUBROUTINE_MAX * sizeof *types);
    uint32_t n = lower_di_subroutine(l, md, types, SUBROUTINE_MAX);
    uint32_t first = l->u->elems.len;
    add_elem(l, (Elem){.type = type_or_void(l, n ? types[0] : NULL)});
    for (uint32_t i = 1; i < n; i++) {
        if (!types[i] && i + 1 == n) { // "..."
            l->u->types.at[id.id].flags |= TYPE_VARARGS;
            break;
        }
        add_elem(l, (Elem){.type = type_or_void(l, types[i])});
    }
    l->u->types.at[id.id].first_elem = first;
    l->u->types.at[id.id].elem_count = l->u->elems.len - first;
    mem_free(types);
}

static void fill(Lower *l, PendingType p)
{
    Unit *u = l->u;
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = lower_md_operands(l, p.node, ops, DI_OPERANDS_MAX);
    if (n <= DI_NAME) return;
    Name name = lower_md_name(l, ops[DI_NAME]);
    u->types.at[p.type.id].name = lower_qualified(l, lower_md(ops[DI_SCOPE]), name);
    u->types.at[p.type.id].size = bytes_of(p.node);
    LLVMMetadataRef base = n > DI_BASE_TYPE ? lower_md(ops[DI_BASE_TYPE]) : NULL;
    switch ((TypeKind)u->types.at[p.type.id].kind) {
    case TYPE_INT:
        vec_push(&l->basic_types, p);
        break;
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_CONST:
    case TYPE_TYPEDEF: {
        TypeId of = type_or_void(l, base);
        Type *t = &u->types.at[p.type.id];
        t->first_elem = u->elems.len;
        t->elem_count = 1;
        add_elem(l, (Elem){.type = of});
        break;
    }
    case TYPE_FUNC:
        fill_func(l, p.type, p.node);
        break;
    case TYPE_ARRAY:
        fill_array(l, p.type, base, lower_md(ops[DI_ELEMENTS]), bytes_of(p.node));
        break;
    case TYPE_STRUCT:
    case TYPE_UNION: {
        uint32_t first = u->elems.len;
        if (LLVMDITypeGetFlags(p.node) & LLVMDIFlagFwdDecl)
            u->types.at[p.type.id].flags |= TYPE_DECLARED;
        else
            fill_record(l, lower_md(ops[DI_ELEMENTS]));
        u->types.at[p.type.id].first_elem = first;
        u->types.at[p.type.id].elem_count = u->elems.len - first;
        break;
    }
    default:
        break;
    }
}

// The encoding of basic types has neither getter nor operand. There are a dozen of them and they
// refer to nothing else, so a scratch module which names them is printed and read.
static void read_encodings(Lower *l)
{
    if (!l->basic_types.len) return;
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("basic", l->context);
    vec_each (i, &l->basic_types)
        LLVMAddNamedMetadataOperand(m, "t",
                                    LLVMMetadataAsValue(l->context, l->basic_types.at[i].node));
    char *text = LLVMPrintModuleToString(m);
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        char *rest;
        unsigned long slot = *line == '!' ? strtoul(line + 1, &rest, 10) : 0;
        const char *encoding = *line == '!' ? strstr(line, "encoding: DW_ATE_") : NULL;
        if (encoding && slot < l->basic_types.len) {
            Type *t = &l->u->types.at[l->basic_types.at[slot].type.id];
            encoding += strlen("encoding: DW_ATE_");
            if (!strncmp(encoding, "boolean", 7)) {
                t->kind = TYPE_BOOL;
            } else if (!strncmp(encoding, "float", 5)) {
                t->kind = TYPE_FLOAT;
            } else if (!strncmp(encoding, "unsigned", 8) || !strncmp(encoding, "UTF", 3)) {
                t->flags |= TYPE_UNSIGNED;
            } else if (strncmp(encoding, "signed", 6) != 0) {
                t->kind = TYPE_OTHER;
            }
        }
        line = end ? end + 1 : NULL;
    }
    LLVMDisposeMessage(text);
    LLVMDisposeModule(m);
}

void lower_di_types_finish(Lower *l)
{
    for (uint32_t i = 0; i < l->type_queue.len; i++) fill(l, l->type_queue.at[i]);
    read_encodings(l);
}

TypeId lower_strip(const Unit *u, TypeId t)
{
    while (u->types.at[t.id].kind == TYPE_CONST || u->types.at[t.id].kind == TYPE_TYPEDEF) {
        if (!u->types.at[t.id].elem_count) break;
        t = u->elems.at[u->types.at[t.id].first_elem].type;
    }
    return t;
}
