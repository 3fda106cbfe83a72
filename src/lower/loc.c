// Positions and variables of the source.
#include "lower/lower_int.h"

#include "base/file.h"

FileId lower_file(Lower *l, LLVMMetadataRef file)
{
    if (!file || LLVMGetMetadataKind(file) != LLVMDIFileMetadataKind) return (FileId){0};
    uint64_t *at = map_get(&l->di_files, (uintptr_t)file);
    if (at) return (FileId){(uint32_t)*at};
    unsigned dir_len, name_len;
    const char *dir = LLVMDIFileGetDirectory(file, &dir_len);
    const char *name = LLVMDIFileGetFilename(file, &name_len);
    FileId id = {0};
    if (name && name_len) {
        char *path = path_join(l->arena, arena_strndup(l->arena, dir ? dir : "", dir_len),
                               arena_strndup(l->arena, name, name_len));
        id = unit_file(l->b, path);
    }
    map_set(&l->di_files, (uintptr_t)file, id.id);
    return id;
}

LocId lower_loc_line(Lower *l, LLVMMetadataRef file, uint32_t line)
{
    FileId f = lower_file(l, file);
    return f.id && line ? unit_loc(l->b, f, line, 0, 0) : (LocId){0};
}

// Lexical blocks are numbered as they are met; a block that only changes the file or the
// discriminator is its parent.
static uint32_t scope_number(Lower *l, LLVMMetadataRef scope)
{
    for (uint32_t depth = 0; scope && depth < 64; depth++) {
        if (LLVMGetMetadataKind(scope) != LLVMDILexicalBlockFileMetadataKind) break;
        LLVMValueRef ops[DI_OPERANDS_MAX];
        uint32_t n = lower_md_operands(l, scope, ops, DI_OPERANDS_MAX);
        scope = n > DI_SCOPE ? lower_md(ops[DI_SCOPE]) : NULL;
    }
    if (!scope) return 0;
    return (uint32_t)*map_at(&l->scopes, (uintptr_t)scope, l->scopes.len + 1, NULL);
}

LocId lower_loc_of(Lower *l, LLVMMetadataRef at)
{
    uint64_t *known = map_get(&l->locs, (uintptr_t)at);
    if (known) return (LocId){(uint32_t)*known};
    // Inlined code is where it was inlined, as the reader of the outer function sees it.
    LLVMMetadataRef outer = at, next;
    for (uint32_t depth = 0; depth < 1024 && (next = LLVMDILocationGetInlinedAt(outer)); depth++)
        outer = next;
    LLVMMetadataRef scope = LLVMDILocationGetScope(outer);
    FileId file = scope ? lower_file(l, LLVMDIScopeGetFile(scope)) : (FileId){0};
    uint32_t line = LLVMDILocationGetLine(outer);
    LocId id = {0};
    if (file.id && line) // line 0: made by the compiler
        id = unit_loc(l->b, file, line, LLVMDILocationGetColumn(outer), scope_number(l, scope));
    map_set(&l->locs, (uintptr_t)at, id.id);
    return id;
}

LocId lower_loc(Lower *l, LLVMValueRef ins)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(ins);
    if (!at) return (LocId){0};
    if (at == l->last_loc) return l->last_loc_id;
    l->last_loc = at;
    return l->last_loc_id = lower_loc_of(l, at);
}

// --- variables

typedef struct {
    Name name;
    TypeId type;
    LocId loc;
} SourceVariable;

static bool read_variable(Lower *l, LLVMMetadataRef var, SourceVariable *s)
{
    if (!var || LLVMGetMetadataKind(var) != LLVMDILocalVariableMetadataKind) return false;
    LLVMValueRef ops[DI_OPERANDS_MAX];
    uint32_t n = lower_md_operands(l, var, ops, DI_OPERANDS_MAX);
    if (n <= DI_VARIABLE_TYPE) return false;
    s->name = lower_md_name(l, ops[DI_VARIABLE_NAME]);
    s->type = lower_di_type(l, lower_md(ops[DI_VARIABLE_TYPE]));
    LLVMMetadataRef scope = lower_md(ops[DI_VARIABLE_SCOPE]);
    FileId file = lower_file(l, LLVMDIVariableGetFile(var));
    uint32_t line = LLVMDIVariableGetLine(var);
    if (file.id && line) s->loc = unit_loc(l->b, file, line, 0, scope_number(l, scope));
    return true;
}

// The variable's id in this function; 0 when the node is none.
static uint32_t variable(Lower *l, LLVMMetadataRef var)
{
    uint64_t *at = map_get(&l->vars, (uintptr_t)var);
    if (at) return (uint32_t)*at;
    SourceVariable s = {0};
    uint32_t id = 0;
    if (read_variable(l, var, &s)) {
        Var v = {.name = s.name, .type = s.type, .loc = s.loc};
        vec_push(&l->u->vars, v);
        id = l->u->vars.len - l->first_var;
    }
    map_set(&l->vars, (uintptr_t)var, id);
    return id;
}

// A parameter's own variable is the first one that is bound to it. Its arg number has no getter
// in llvm-c; the names agree when both are kept.
static void link_param(Lower *l, uint32_t param, uint32_t var, bool by_address)
{
    Func *f = &l->u->funcs.at[l->func];
    Param *p = &l->u->params.at[f->first_param + param];
    Var *v = &l->u->vars.at[l->first_var + var - 1];
    if (v->param || l->param_vars.at[param]) return;
    if (p->name.id && p->name.id != v->name.id) return;
    if (l->block != 0 && !p->name.id) return;
    l->param_vars.at[param] = 1;
    v->param = param + 1;
    p->name = v->name;
    if (!p->type.id && !by_address) p->type = v->type;
}

static void declare(Lower *l, LLVMValueRef address, LLVMMetadataRef var, bool plain)
{
    uint64_t *at = map_get(&l->values, (uintptr_t)address);
    if (!at) return;
    Ref r = {(uint32_t)*at};
    if (ref_is_param(r)) {
        uint32_t id = variable(l, var);
        if (id) link_param(l, ref_index(r), id, true);
        return;
    }
    if (!ref_is_ins(r)) return;
    const Ins *ins = &l->u->ins.at[l->first_ins + ref_index(r)];
    if (ins->op != OP_ALLOCA) return;
    Local *local = &l->u->locals.at[l->first_local + ins->b - 1];
    // A second name (a structured binding) or one with an expression does not replace the first.
    if (local->name.id) return;
    SourceVariable s = {0};
    if (!read_variable(l, var, &s)) return;
    local->name = s.name;
    if (plain) local->type = s.type;
    local->loc = s.loc;
}

void lower_debug_call(Lower *l, LLVMValueRef call, bool is_declare)
{
    LLVMValueRef what = LLVMGetOperand(call, 0);
    LLVMMetadataRef var = lower_md(LLVMGetOperand(call, 1));
    bool plain = lower_md(LLVMGetOperand(call, 2)) == l->empty_expression;
    LLVMMetadataRef md = lower_md(what);
    if (!md || !var) return;
    uint32_t kind = LLVMGetMetadataKind(md);
    LLVMValueRef value = NULL;
    if (kind == LLVMConstantAsMetadataMetadataKind || kind == LLVMLocalAsMetadataMetadataKind)
        LLVMGetMDNodeOperands(what, &value);
    if (is_declare) {
        if (value) declare(l, value, var, plain);
        return;
    }
    if (lower_mark_met(l, var, call)) return;
    uint32_t id = variable(l, var);
    if (!id) return;
    lower_mark_bound(l, id);
    Ref r = value ? lower_value_quiet(l, value) : ref_none();
    Ref from = r;
    if (ref_is_ins(r)) { // a bool widened to its memory's size
        const Ins *ins = &l->u->ins.at[l->first_ins + ref_index(r)];
        if (ins->op == OP_ZEXT) from = (Ref){ins->a};
    }
    if (ref_is_param(from)) link_param(l, ref_index(from), id, !plain);
    // A value behind an expression is a piece of the variable or its address, not its value.
    if (!plain) r = ref_none();
    if (!ref_is_none(r) && mtype_class(lower_ref_type(l, r)) == MT_VOID) r = ref_none();
    lower_emit(l, OP_BIND, mtype(MT_VOID, 0), r.bits, id, 0, 0);
}
