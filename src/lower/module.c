// The module as a whole: reading bitcode, symbols, what is in special globals, and the order
// of the steps.
#include "lower/lower_int.h"

#include "base/file.h"
#include "unit/types.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

void lower_refuse(Lower *l, const char *fmt, ...)
{
    if (l->why) return; // the first reason is the best one
    va_list ap;
    va_start(ap, fmt);
    l->why = mem_strdup(arena_vprintf(l->arena, fmt, ap));
    va_end(ap);
}

static Linkage linkage_of(LLVMValueRef v)
{
    switch (LLVMGetLinkage(v)) {
    case LLVMAvailableExternallyLinkage:
        return LINK_AVAILABLE;
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
        return LINK_LINKONCE;
    case LLVMWeakAnyLinkage:
    case LLVMWeakODRLinkage:
    case LLVMExternalWeakLinkage:
        return LINK_WEAK;
    case LLVMCommonLinkage:
        return LINK_COMMON;
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
        return LINK_INTERNAL;
    default:
        return LINK_EXTERNAL;
    }
}

// The symbol as the linker sees it; a leading \1 only keeps LLVM from adding a prefix. What has no
// name gets one that no symbol has.
static Name symbol_name(Lower *l, LLVMValueRef v, uint32_t id)
{
    size_t len;
    const char *s = LLVMGetValueName2(v, &len);
    if (len && s[0] == 1) s++, len--;
    if (!len) return name_printf(l->u->names, ".unnamed.%u", id);
    return name_of_n(l->u->names, s, len);
}

static bool has_attr(LLVMValueRef fn, LLVMAttributeIndex at, uint32_t kind)
{
    return LLVMGetEnumAttributeAtIndex(fn, at, kind) != NULL;
}

static uint16_t func_flags(Lower *l, LLVMValueRef fn, const char *name)
{
    const LLVMAttributeIndex at = LLVMAttributeFunctionIndex, ret = LLVMAttributeReturnIndex;
    uint16_t flags = 0;
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(fn))) flags |= FUNC_VARARGS;
    if (has_attr(fn, at, l->attrs.noreturn)) flags |= FUNC_NORETURN;
    if (has_attr(fn, at, l->attrs.returns_twice)) flags |= FUNC_RETURNS_TWICE;
    if (has_attr(fn, at, l->attrs.cold)) flags |= FUNC_COLD;
    if (has_attr(fn, at, l->attrs.nounwind)) flags |= FUNC_NOTHROW;
    if (has_attr(fn, ret, l->attrs.nonnull)) flags |= FUNC_RETURNS_NONNULL;
    if (has_attr(fn, ret, l->attrs.noalias)) flags |= FUNC_NOALIAS_RETURN;
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(fn, at, l->attrs.memory);
    if (memory) {
        // Two bits for each kind of memory: 1 reads, 2 writes.
        uint64_t effects = LLVMGetEnumAttributeValue(memory);
        if (effects == 0) flags |= FUNC_READNONE;
        if (!(effects & 0xaaaaaaaau)) flags |= FUNC_READONLY;
    }
    if (!strncmp(name, "_Z", 2)) flags |= FUNC_CXX;
    return flags;
}

// A parameter's type in the source without typedefs and qualifiers.
static LLVMMetadataRef bare_type(Lower *l, LLVMMetadataRef md)
{
    for (uint32_t depth = 0; md && depth < 64; depth++) {
        if (LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind) break;
        uint16_t tag = LLVMGetDINodeTag(md);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT &&
            tag != TAG_ATOMIC)
            break;
        LLVMValueRef ops[DI_OPERANDS_MAX];
        uint32_t n = lower_md_operands(l, md, ops, DI_OPERANDS_MAX);
        md = n > DI_BASE_TYPE ? lower_md(ops[DI_BASE_TYPE]) : NULL;
    }
    return md;
}

static bool is_record_type(LLVMMetadataRef md)
{
    return md && LLVMGetMetadataKind(md) == LLVMDICompositeTypeMetadataKind &&
           LLVMGetDINodeTag(md) != TAG_ENUM;
}

// Which source parameter each of LLVM's parameters is (index into types, 0 unknown). Without
// structs by value they go one to one; else sizes decide how many registers each one takes, and
// when that does not come out even nothing is claimed.
static void match_params(Lower *l, const Func *f, LLVMMetadataRef *types, uint32_t n,
                         uint32_t *match)
{
    const Param *params = &l->u->params.at[f->first_param];
    uint32_t first = f->param_count && params[0].flags & PARAM_SRET ? 1 : 0;
    if (f->param_count - first == n - 1) {
        for (uint32_t i = first; i < f->param_count; i++) match[i] = i - first + 1;
        return;
    }
    uint32_t at = first;
    for (uint32_t i = 1; i < n && at <= f->param_count; i++) {
        LLVMMetadataRef bare = bare_type(l, types[i]);
        uint64_t size = bare ? LLVMDITypeGetSizeInBits(bare) / 8 : 0, taken = 0;
        bool record = is_record_type(bare);
        if (record && size <= 1 && at < f->param_count && f->param_count - at < n - i)
            continue; // an empty class takes none
        do {
            if (at == f->param_count) {
                at = UINT32_MAX; // not enough
                break;
            }
            bool whole = mtype_class(params[at].mtype) == MT_PTR && (!record || size > 16);
            uint32_t bytes = mtype_bytes(params[at].mtype);
            match[at++] = i;
            if (whole || params[at - 1].flags & PARAM_BYVAL || !bytes) break;
            taken += bytes < 8 && size > 8 ? 8 : bytes;
        } while (record && taken < size);
        if (at == UINT32_MAX) break;
    }
    if (at != f->param_count) memset(match, 0, f->param_count * sizeof *match);
}

static void type_params(Lower *l, Func *f, LLVMMetadataRef subroutine)
{
    enum { MAX = 1024 };
    LLVMMetadataRef *types = mem_alloc(MAX * sizeof *types);
    uint32_t n = lower_di_subroutine(l, subroutine, types, MAX);
    if (n > 1 && f->flags & FUNC_VARARGS && !types[n - 1]) n--;
    if (n > 1 && f->param_count) {
        uint32_t *match = mem_alloc(f->param_count * sizeof *match);
        match_params(l, f, types, n, match);
        for (uint32_t i = 0; i < f->param_count; i++) {
            LLVMMetadataRef md = match[i] ? types[match[i]] : NULL;
            if (!md) continue;
            Param *p = &l->u->params.at[f->first_param + i];
            p->type = lower_di_type(l, md);
            if (LLVMDITypeGetFlags(md) & LLVMDIFlagObjectPointer) p->flags |= PARAM_THIS;
        }
        mem_free(match);
    }
    mem_free(types);
}

static void add_params(Lower *l, LLVMValueRef fn, Func *f)
{
    Unit *u = l->u;
    f->first_param = u->params.len;
    uint32_t i = 1;
    for (LLVMValueRef v = LLVMGetFirstParam(fn); v; v = LLVMGetNextParam(v), i++) {
        Param p = {.mtype = lower_mtype_of(l, v)};
        size_t len;
        const char *name = LLVMGetValueName2(v, &len);
        const char *dot = memchr(name, '.', len); // x.coerce0 is a part of x
        LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(fn, i, l->attrs.byval);
        if (byval) {
            p.flags |= PARAM_BYVAL;
            p.byval_size = (uint32_t)lower_type(l, LLVMGetTypeAttributeValue(byval))->size;
        }
        if (has_attr(fn, i, l->attrs.sret))
            p.flags |= PARAM_SRET;
        else
            p.name = name_of_n(u->names, name, dot ? (size_t)(dot - name) : len);
        if (has_attr(fn, i, l->attrs.nonnull)) p.flags |= PARAM_NONNULL;
        vec_push(&u->params, p);
    }
    f->param_count = u->params.len - f->first_param;
}

static void add_func(Lower *l, LLVMValueRef fn)
{
    Unit *u = l->u;
    uint32_t id = u->funcs.len;
    Func f = {.name = symbol_name(l, fn, id), .linkage = (uint32_t)linkage_of(fn)};
    f.source = lower_demangled(l, f.name);
    f.flags = func_flags(l, fn, name_text(u->names, f.name));
    f.result = lower_mtype(l, LLVMGetReturnType(LLVMGlobalGetValueType(fn)));
    if (LLVMGetComdat(fn)) f.comdat = f.name.id;
    add_params(l, fn, &f);
    LLVMMetadataRef sp = LLVMGetSubprogram(fn);
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = sp ? lower_md_operands(l, sp, ops, DI_OPERANDS_MAX) : 0;
    if (n > DI_SUBPROGRAM_TYPE) {
        Name name = lower_md_name(l, ops[DI_NAME]);
        if (name.id) f.source = lower_qualified(l, lower_md(ops[DI_SCOPE]), name);
        f.loc = lower_loc_line(l, LLVMDIScopeGetFile(sp), LLVMDISubprogramGetLine(sp));
        LLVMMetadataRef type = lower_md(ops[DI_SUBPROGRAM_TYPE]);
        f.type = lower_di_type(l, type);
        type_params(l, &f, type);
    }
    vec_push(&u->funcs, f);
    map_set(&l->symbols, (uintptr_t)fn, (uint64_t)SYMBOL_FUNC << 32 | id);
}

static LLVMMetadataRef global_variable(Lower *l, LLVMValueRef v)
{
    size_t n;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(v, &n);
    LLVMMetadataRef found = NULL;
    for (uint32_t i = 0; i < n && !found; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == l->dbg_kind)
            found = LLVMValueMetadataEntriesGetMetadata(all, i);
    if (all) LLVMDisposeValueMetadataEntries(all);
    if (!found || LLVMGetMetadataKind(found) != LLVMDIGlobalVariableExpressionMetadataKind)
        return NULL;
    return LLVMDIGlobalVariableExpressionGetVariable(found);
}

static void describe_global(Lower *l, Global *g, LLVMMetadataRef var)
{
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = lower_md_operands(l, var, ops, DI_OPERANDS_MAX);
    if (n <= DI_VARIABLE_TYPE) return;
    LLVMMetadataRef scope = lower_md(ops[DI_VARIABLE_SCOPE]);
    Name name = lower_md_name(l, ops[DI_VARIABLE_NAME]);
    if (name.id) g->source = lower_qualified(l, scope, name);
    g->type = lower_di_type(l, lower_md(ops[DI_VARIABLE_TYPE]));
    g->loc = lower_loc_line(l, LLVMDIVariableGetFile(var), LLVMDIVariableGetLine(var));
    uint32_t kind = scope ? LLVMGetMetadataKind(scope) : 0;
    if (scope && (kind == LLVMDISubprogramMetadataKind || kind == LLVMDILexicalBlockMetadataKind ||
                  kind == LLVMDILexicalBlockFileMetadataKind))
        g->flags |= GLOBAL_LOCAL_STATIC;
}

// llvm.used, llvm.global_ctors, annotation texts: not the program's.
static bool is_special(LLVMValueRef v)
{
    const char *section = LLVMGetSection(v);
    if (section && strcmp(section, "llvm.metadata") == 0) return true;
    size_t len;
    const char *name = LLVMGetValueName2(v, &len);
    return len > 5 && memcmp(name, "llvm.", 5) == 0;
}

static void add_global(Lower *l, LLVMValueRef v)
{
    Unit *u = l->u;
    uint32_t id = u->globals.len;
    Global g = {.name = symbol_name(l, v, id), .linkage = (uint32_t)linkage_of(v)};
    g.source = g.name;
    g.size = lower_type(l, LLVMGlobalGetValueType(v))->size;
    if (LLVMIsGlobalConstant(v)) g.flags |= GLOBAL_CONST;
    if (LLVMIsThreadLocal(v)) g.flags |= GLOBAL_THREAD;
    if (LLVMGetComdat(v)) g.comdat = g.name.id;
    LLVMMetadataRef var = global_variable(l, v);
    if (var) describe_global(l, &g, var);
    vec_push(&u->globals, g);
    map_set(&l->symbols, (uintptr_t)v, (uint64_t)SYMBOL_GLOBAL << 32 | id);
}

// Aliases and ifuncs: symbols of their own that name another. The target is filled in when all
// symbols are known; one that names the middle of an object is replaced by that address.
static LLVMValueRef alias_target(Lower *l, LLVMValueRef alias, int64_t *offset)
{
    LLVMValueRef to = LLVMAliasGetAliasee(alias);
    *offset = 0;
    if (LLVMGetValueKind(to) == LLVMGlobalAliasValueKind) return to;
    return lower_base_symbol(l, to, offset);
}

static bool is_function_like(LLVMValueRef v, uint32_t depth)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind == LLVMFunctionValueKind || kind == LLVMGlobalIFuncValueKind) return true;
    if (kind == LLVMGlobalAliasValueKind && depth < 64)
        return is_function_like(LLVMAliasGetAliasee(v), depth + 1);
    return false;
}

static void add_func_name(Lower *l, LLVMValueRef v, uint16_t flags)
{
    uint32_t id = l->u->funcs.len;
    Func f = {.name = symbol_name(l, v, id), .linkage = (uint32_t)linkage_of(v), .flags = flags};
    f.source = f.name;
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    if (LLVMGetTypeKind(type) == LLVMFunctionTypeKind) {
        f.result = lower_mtype(l, LLVMGetReturnType(type));
        if (LLVMIsFunctionVarArg(type)) f.flags |= FUNC_VARARGS;
        uint32_t n = LLVMCountParamTypes(type);
        LLVMTypeRef *types = mem_alloc((n + 1) * sizeof *types);
        LLVMGetParamTypes(type, types);
        f.first_param = l->u->params.len;
        f.param_count = n;
        for (uint32_t i = 0; i < n; i++) {
            Param p = {.mtype = lower_mtype(l, types[i])};
            vec_push(&l->u->params, p);
        }
        mem_free(types);
    }
    vec_push(&l->u->funcs, f);
    map_set(&l->symbols, (uintptr_t)v, (uint64_t)SYMBOL_FUNC << 32 | id);
}

// A function by another name has that function's parameters and source type.
static void copy_signature(Unit *u, uint32_t id)
{
    Func *f = &u->funcs.at[id];
    const Func *of = &u->funcs.at[f->alias];
    f->flags |= of->flags & (FUNC_NORETURN | FUNC_RETURNS_TWICE | FUNC_RETURNS_NONNULL |
                             FUNC_NOALIAS_RETURN | FUNC_READNONE | FUNC_READONLY | FUNC_NOTHROW);
    f->type = of->type;
    f->loc = of->loc;
    if (of->param_count != f->param_count) return;
    for (uint32_t i = 0; i < f->param_count; i++)
        u->params.at[f->first_param + i] = u->params.at[of->first_param + i];
}

static void add_aliases(Lower *l)
{
    Unit *u = l->u;
    VEC(LLVMValueRef) all = {0};
    LLVMValueRef v;
    for (v = LLVMGetFirstGlobalIFunc(l->module); v; v = LLVMGetNextGlobalIFunc(v))
        add_func_name(l, v, FUNC_IFUNC);
    for (v = LLVMGetFirstGlobalAlias(l->module); v; v = LLVMGetNextGlobalAlias(v)) {
        // Not yet a symbol itself, so its address is seen through: only whole objects count.
        int64_t offset;
        LLVMValueRef to = lower_base_symbol(l, LLVMAliasGetAliasee(v), &offset);
        if (!to || offset) continue;
        vec_push(&all, v);
    }
    vec_each (i, &all) {
        if (is_function_like(all.at[i], 0)) {
            add_func_name(l, all.at[i], 0);
        } else {
            uint32_t id = u->globals.len;
            Global g = {.name = symbol_name(l, all.at[i], id),
                        .linkage = (uint32_t)linkage_of(all.at[i])};
            g.source = g.name;
            g.size = lower_type(l, LLVMGlobalGetValueType(all.at[i]))->size;
            if (LLVMIsThreadLocal(all.at[i])) g.flags |= GLOBAL_THREAD;
            vec_push(&u->globals, g);
            map_set(&l->symbols, (uintptr_t)all.at[i], (uint64_t)SYMBOL_GLOBAL << 32 | id);
        }
    }
    vec_each (i, &all) {
        int64_t offset;
        LLVMValueRef to = alias_target(l, all.at[i], &offset);
        uint32_t func = lower_symbol(l, all.at[i], SYMBOL_FUNC),
                 global = lower_symbol(l, all.at[i], SYMBOL_GLOBAL);
        if (!to) continue;
        if (func) {
            u->funcs.at[func].alias = lower_symbol(l, to, SYMBOL_FUNC);
            copy_signature(u, func);
        }
        if (global) {
            uint32_t of = lower_symbol(l, to, SYMBOL_GLOBAL);
            u->globals.at[global].alias = of;
            u->globals.at[global].type = u->globals.at[of].type;
            u->globals.at[global].loc = u->globals.at[of].loc;
        }
    }
    for (v = LLVMGetFirstGlobalIFunc(l->module); v; v = LLVMGetNextGlobalIFunc(v)) {
        int64_t offset;
        LLVMValueRef to = lower_base_symbol(l, LLVMGetGlobalIFuncResolver(v), &offset);
        uint32_t id = lower_symbol(l, v, SYMBOL_FUNC);
        if (to) u->funcs.at[id].alias = lower_symbol(l, to, SYMBOL_FUNC);
    }
    vec_free(&all);
}

// --- special globals

static LLVMValueRef element(LLVMValueRef v, uint32_t i)
{
    return v ? LLVMGetAggregateElement(v, i) : NULL;
}

static LLVMValueRef special(Lower *l, const char *name, uint64_t *count)
{
    LLVMValueRef g = LLVMGetNamedGlobal(l->module, name);
    LLVMValueRef init = g ? LLVMGetInitializer(g) : NULL;
    if (!init || LLVMGetTypeKind(LLVMTypeOf(init)) != LLVMArrayTypeKind) return NULL;
    *count = LLVMGetArrayLength2(LLVMTypeOf(init));
    return init;
}

typedef struct {
    uint64_t priority;
    uint32_t place, func;
} Constructor;

static int by_priority(const void *a, const void *b)
{
    const Constructor *x = a, *y = b;
    if (x->priority != y->priority) return x->priority < y->priority ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void add_constructors(Lower *l)
{
    uint64_t n;
    LLVMValueRef list = special(l, "llvm.global_ctors", &n);
    VEC(Constructor) all = {0};
    for (uint32_t i = 0; list && i < n; i++) {
        LLVMValueRef row = element(list, i), priority = element(row, 0), fn = element(row, 1);
        int64_t offset;
        LLVMValueRef to = fn ? lower_base_symbol(l, fn, &offset) : NULL;
        uint32_t id = to ? lower_symbol(l, to, SYMBOL_FUNC) : 0;
        if (!id || LLVMGetValueKind(priority) != LLVMConstantIntValueKind) continue;
        Constructor c = {LLVMConstIntGetZExtValue(priority), i, id};
        vec_push(&all, c);
    }
    if (all.len) qsort(all.at, all.len, sizeof *all.at, by_priority);
    vec_each (i, &all) {
        l->u->funcs.at[all.at[i].func].flags |= FUNC_CONSTRUCTOR;
        vec_push(&l->u->constructors, all.at[i].func);
    }
    vec_free(&all);
}

static void keep(Lower *l, LLVMValueRef v)
{
    int64_t offset;
    LLVMValueRef to = v ? lower_base_symbol(l, v, &offset) : NULL;
    uint32_t func = to ? lower_symbol(l, to, SYMBOL_FUNC) : 0, global = to ? lower_symbol(l, to, SYMBOL_GLOBAL) : 0;
    if (func) l->u->funcs.at[func].flags |= FUNC_KEPT;
    if (global) l->u->globals.at[global].flags |= GLOBAL_KEPT;
}

// Destructors, and what __attribute__((used)) keeps for an assembler's text or a linker's table.
static void add_kept(Lower *l)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
    uint64_t n;
    LLVMValueRef list = special(l, "llvm.global_dtors", &n);
    for (uint32_t i = 0; list && i < n; i++) keep(l, element(element(list, i), 1));
    for (uint32_t k = 0; k < 2; k++) {
        list = special(l, lists[k], &n);
        for (uint32_t i = 0; list && i < n; i++) keep(l, element(list, i));
    }
}

static void add_annotations(Lower *l)
{
    uint64_t n;
    LLVMValueRef list = special(l, "llvm.global.annotations", &n);
    for (uint32_t i = 0; list && i < n; i++) {
        LLVMValueRef row = element(list, i), what = element(row, 0), text = element(row, 1);
        int64_t offset;
        LLVMValueRef fn = what ? lower_base_symbol(l, what, &offset) : NULL;
        LLVMValueRef from = text ? lower_base_symbol(l, text, &offset) : NULL;
        uint32_t id = fn ? lower_symbol(l, fn, SYMBOL_FUNC) : 0;
        if (!id || !from || LLVMGetValueKind(from) != LLVMGlobalVariableValueKind) continue;
        LLVMValueRef init = LLVMGetInitializer(from);
        if (!init || !LLVMIsConstantString(init)) continue;
        size_t len;
        const char *s = LLVMGetAsString(init, &len);
        Annotation a = {.func = id, .text = name_of_n(l->u->names, s, strnlen(s, len))};
        vec_push(&l->u->annotations, a);
    }
}

// Types that only casts mention have no variable to be reached from.
static void add_retained_types(Lower *l)
{
    uint32_t n = LLVMGetNamedMetadataNumOperands(l->module, "llvm.dbg.cu");
    LLVMValueRef *units = mem_alloc((n + 1) * sizeof *units);
    LLVMGetNamedMetadataOperands(l->module, "llvm.dbg.cu", units);
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef ops[DI_OPERANDS_MAX];
        uint32_t count = lower_md_operands(l, lower_md(units[i]), ops, DI_OPERANDS_MAX);
        LLVMMetadataRef list =
            count > DI_UNIT_RETAINED_TYPES ? lower_md(ops[DI_UNIT_RETAINED_TYPES]) : NULL;
        if (!list || LLVMGetMetadataKind(list) != LLVMMDTupleMetadataKind) continue;
        LLVMValueRef node = LLVMMetadataAsValue(l->context, list);
        uint32_t types = LLVMGetMDNodeNumOperands(node);
        LLVMValueRef *all = mem_alloc((types + 1) * sizeof *all);
        LLVMGetMDNodeOperands(node, all);
        for (uint32_t k = 0; k < types; k++) lower_di_type(l, lower_md(all[k]));
        mem_free(all);
    }
    mem_free(units);
}

static void mark_const_pointees(Lower *l)
{
    Unit *u = l->u;
    vec_each (f, &u->funcs) {
        const Func *func = &u->funcs.at[f];
        for (uint32_t k = 0; k < func->param_count; k++) {
            Param *p = &u->params.at[func->first_param + k];
            const Type *t = &u->types.at[lower_strip(u, p->type).id];
            if ((t->kind != TYPE_POINTER && t->kind != TYPE_REFERENCE) || !t->elem_count) continue;
            bool sized = k + 1 < func->param_count && mtype_class(p[1].mtype) == MT_INT;
            if (is_lent_type(u, u->elems.at[t->first_elem].type, sized)) p->flags |= PARAM_CONST_POINTEE;
        }
    }
}

// --- the order of steps

static void find_attributes(Lower *l)
{
#define KIND(text) LLVMGetEnumAttributeKindForName(text, sizeof text - 1)
    l->attrs.noreturn = KIND("noreturn");
    l->attrs.returns_twice = KIND("returns_twice");
    l->attrs.nonnull = KIND("nonnull");
    l->attrs.noalias = KIND("noalias");
    l->attrs.byval = KIND("byval");
    l->attrs.sret = KIND("sret");
    l->attrs.memory = KIND("memory");
    l->attrs.cold = KIND("cold");
    l->attrs.nounwind = KIND("nounwind");
#undef KIND
    l->dbg_kind = LLVMGetMDKindIDInContext(l->context, "dbg", 3);
    LLVMDIBuilderRef b = LLVMCreateDIBuilder(l->module);
    l->empty_expression = LLVMDIBuilderCreateExpression(b, NULL, 0);
    LLVMDisposeDIBuilder(b);
}

static void translate(Lower *l)
{
    LLVMValueRef v;
    find_attributes(l);
    lower_intrinsics_init(l);
    for (v = LLVMGetFirstGlobal(l->module); v; v = LLVMGetNextGlobal(v))
        if (!is_special(v)) add_global(l, v);
    for (v = LLVMGetFirstFunction(l->module); v; v = LLVMGetNextFunction(v))
        if (!LLVMGetIntrinsicID(v) && !is_special(v)) add_func(l, v);
    add_aliases(l);
    add_retained_types(l);
    for (v = LLVMGetFirstFunction(l->module); v && !l->why; v = LLVMGetNextFunction(v))
        if (!LLVMIsDeclaration(v)) lower_body(l, v, lower_symbol(l, v, SYMBOL_FUNC));
    if (l->why) return;
    for (v = LLVMGetFirstGlobal(l->module); v; v = LLVMGetNextGlobal(v)) {
        uint32_t id = lower_symbol(l, v, SYMBOL_GLOBAL);
        LLVMValueRef init = id ? LLVMGetInitializer(v) : NULL;
        if (init) lower_init(l, &l->u->globals.at[id], init);
    }
    add_constructors(l);
    add_kept(l);
    add_annotations(l);
    lower_di_types_finish(l);
    lower_fields_finish(l);
    mark_const_pointees(l);
}

static bool is_cxx_source(const char *source)
{
    static const char *const extensions[] = {"cc",  "cpp", "cxx", "C",   "c++", "CPP", "cp",
                                             "hpp", "hh",  "hxx", "h++", "H",   "ii",  "mm"};
    const char *extension = path_extension(source);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(extension, extensions[i]) == 0) return true;
    return false;
}

// Scalars into registers; coroutines into the functions that they are.
static void run_passes(Lower *l)
{
    uint32_t optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        if (has_attr(f, LLVMAttributeFunctionIndex, optnone)) // -O0: the passes would skip it
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, optnone);
    lower_thread_exits(l);
    lower_marks_add(l);
    lower_unset_locals(l);
    bool coroutines = LLVMGetNamedFunction(l->module, "llvm.coro.begin") != NULL;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    const char *passes = coroutines ? "coro-early,cgscc(coro-split),coro-cleanup,function(mem2reg)"
                                    : "function(mem2reg)";
    LLVMErrorRef failed = LLVMRunPasses(l->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (failed) {
        char *text = LLVMGetErrorMessage(failed);
        lower_refuse(l, "LLVM: %s", text);
        LLVMDisposeErrorMessage(text);
    }
}

static void diagnose(LLVMDiagnosticInfoRef info, void *context)
{
    Lower *l = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
    char *text = LLVMGetDiagInfoDescription(info);
    lower_refuse(l, "LLVM: %s", text);
    LLVMDisposeMessage(text);
}

// While reading, LLVM runs its verifier over the whole module to see whether the debug
// information is of an older version: a fifth of the reading time, for nothing here.
static void skip_debug_upgrade(void)
{
    const char *const args[] = {"stanch", "-disable-auto-upgrade-debug-info"};
    LLVMParseCommandLineOptions(2, args, NULL);
}

static void read_module(Lower *l, const void *bytes, size_t len, const LowerOptions *options)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, skip_debug_upgrade);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bytes, len, "bitcode", 0);
    if (LLVMParseBitcodeInContext2(l->context, buffer, &l->module)) {
        l->module = NULL;
        lower_refuse(l, "LLVM cannot read the bitcode");
    }
    LLVMDisposeMemoryBuffer(buffer);
    if (l->why) return;
    if (options->verify) {
        char *text = NULL;
        if (LLVMVerifyModule(l->module, LLVMReturnStatusAction, &text))
            lower_refuse(l, "LLVM: %s", text);
        LLVMDisposeMessage(text);
        if (l->why) return;
    }
    if (!options->keep_memory) run_passes(l);
    llvm_show_debug_calls(l->module);
}

static void head(Lower *l, const char *source, const LowerOptions *options)
{
    Unit *u = l->u;
    char version[16];
    l->layout = LLVMGetModuleDataLayout(l->module);
    u->pointer_bytes = LLVMPointerSize(l->layout);
    l->pointer_bits = u->pointer_bytes * 8;
    u->source = name_of(u->names, source);
    l->cxx = options->language ? strcmp(options->language, "c++") == 0 : is_cxx_source(source);
    u->language = name_of(u->names, l->cxx ? "c++" : "c");
    u->target = name_of(u->names, LLVMGetTarget(l->module));
    u->producer =
        name_printf(u->names, "stanch %s, LLVM %s", STANCH_VERSION, lower_llvm_version(version));
}

static void free_scratch(Lower *l)
{
    Map *maps[] = {&l->type_infos, &l->symbols,    &l->consts,    &l->intrinsics, &l->blocks_kept,
                   &l->di_types,   &l->di_files,   &l->di_scopes, &l->field_keys, &l->values,
                   &l->blocks,     &l->vars,       &l->scopes,    &l->locs,       &l->phi_code,
                   &l->phi_consts, &l->ins_fields, &l->marks};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
    vec_free(&l->infos);
    vec_free(&l->type_queue);
    vec_free(&l->basic_types);
    vec_free(&l->fields);
    vec_free(&l->phis);
    vec_free(&l->phi_stamp);
    vec_free(&l->param_vars);
    vec_free(&l->spills);
    vec_free(&l->mark_nodes);
    vec_free(&l->mark_vars);
    unit_builder_free(l->b);
    arena_free(l->arena);
}

// LLVM reports some damage only through a handler without a context argument which may not
// return. So this is the one variable outside of a struct: where to go back to, by thread.
static _Thread_local struct {
    jmp_buf back;
    char why[512];
    bool armed;
} fatal;

static void on_fatal(const char *reason)
{
    if (!fatal.armed) return;
    fatal.armed = false;
    snprintf(fatal.why, sizeof fatal.why, "LLVM: %s", reason);
    longjmp(fatal.back, 1);
}

// Reads and translates; what goes wrong is in l->why. Nothing here lives in a local that changes
// after setjmp.
static void attempt(Lower *l, const void *bytes, size_t len, const char *source,
                    const LowerOptions *options)
{
    if (setjmp(fatal.back)) {
        lower_refuse(l, "%s", fatal.why); // LLVM's own memory stays behind
        return;
    }
    fatal.armed = true;
    read_module(l, bytes, len, options);
    if (!l->why) {
        head(l, source, options);
        translate(l);
    }
    fatal.armed = false;
    if (options->exits) return;
    if (l->folder) LLVMDisposeBuilder(l->folder);
    if (l->module) LLVMDisposeModule(l->module);
    LLVMContextDispose(l->context);
}

Unit *lower_bitcode(const void *bytes, size_t len, const char *source, const LowerOptions *options,
                    char **why)
{
    static const LowerOptions defaults = {0};
    Lower *l = mem_alloc(sizeof *l);
    l->u = unit_new();
    l->b = unit_builder_new(l->u);
    l->arena = arena_new("lower");
    l->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(l->context, diagnose, l);
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(on_fatal);
    attempt(l, bytes, len, source, options ? options : &defaults);
    LLVMResetFatalErrorHandler();
    // LLVM reads much that its verifier would refuse; so does a bug of ours look like bad input.
    const char *wrong = l->why ? NULL : unit_check(l->u, l->arena);
    if (wrong) lower_refuse(l, "the bitcode contradicts itself: %s", wrong);
    Unit *u = l->u;
    if (l->why) {
        *why = l->why;
        unit_free(u);
        u = NULL;
    }
    free_scratch(l);
    mem_free(l);
    return u;
}

const char *lower_llvm_version(char into[16])
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    snprintf(into, 16, "%u.%u.%u", major, minor, patch);
    return into;
}
