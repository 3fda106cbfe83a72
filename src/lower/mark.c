// Positions that mem2reg would lose. It deletes the stores to the locals which it turns into
// values, and the ends of their lifetimes: the places where a pointer is overwritten or goes out
// of scope. So a debug record with the position is put before each of them first. Behind the
// record of a store comes mem2reg's own one, which has no line but names the variable; that tells
// which variable the local was, and so whose scope ends at the record of an end.
//
// A record needs some variable; the n-th local of any function shares one made for it, an even
// one for stores and an odd one for ends. The first two serve no local: MARK_THROUGH is for stores
// through a pointer that a local holds (which mem2reg may find to be the address of another local),
// MARK_RETURN for the stores of what is to be returned; they become nops that keep the position of
// the return statement, which clean-up and a shared exit would hide.
#include "lower/lower_int.h"

enum { MARK_THROUGH, MARK_RETURN, MARK_LOCALS };

static LLVMMetadataRef mark_node(Lower *l, LLVMDIBuilderRef b, LLVMMetadataRef scope, uint32_t i)
{
    while (l->mark_nodes.len <= i) {
        LLVMMetadataRef node =
            LLVMDIBuilderCreateAutoVariable(b, scope, "mark", 4, LLVMDIScopeGetFile(scope),
                                            l->mark_nodes.len, NULL, 0, LLVMDIFlagZero, 0);
        map_set(&l->marks, (uintptr_t)node, l->mark_nodes.len);
        vec_push(&l->mark_nodes, node);
    }
    return l->mark_nodes.at[i];
}

// The local whose scope the call ends; null for other instructions.
static LLVMValueRef ended_local(LLVMValueRef v, uint32_t lifetime_end)
{
    if (LLVMGetInstructionOpcode(v) != LLVMCall) return NULL;
    LLVMValueRef callee = LLVMGetCalledValue(v);
    if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) return NULL;
    if (LLVMGetIntrinsicID(callee) != lifetime_end) return NULL;
    return LLVMGetOperand(v, 1);
}

// Whether it is a local of the compiler's own: those of the program have a lifetime or start with
// a parameter's value.
static bool is_hidden(LLVMValueRef local)
{
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool store = LLVMIsAStoreInst(user) && !LLVMIsAArgument(LLVMGetOperand(user, 0));
        if (!store && !LLVMIsALoadInst(user)) return false;
    }
    return true;
}

// The local from which all returns take their value; null when there is none.
static LLVMValueRef returned_local(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || LLVMGetInstructionOpcode(end) != LLVMRet || !LLVMGetNumOperands(end)) continue;
        LLVMValueRef value = LLVMGetOperand(end, 0);
        if (!LLVMIsALoadInst(value)) return NULL;
        LLVMValueRef local = LLVMGetOperand(value, 0);
        return LLVMIsAAllocaInst(local) && is_hidden(local) ? local : NULL;
    }
    return NULL;
}

// Whether the address is a pointer to pointers that is in a local.
static bool is_pointer_in_local(LLVMValueRef address)
{
    return LLVMIsALoadInst(address) && LLVMIsAAllocaInst(LLVMGetOperand(address, 0));
}

void lower_marks_add(Lower *l)
{
    LLVMMetadataRef scope = NULL;
    LLVMValueRef f = LLVMGetFirstFunction(l->module);
    for (; f && !scope; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) scope = LLVMGetSubprogram(f);
    if (!scope || !LLVMIsNewDbgInfoFormat(l->module)) return;
    const char *end_name = "llvm.lifetime.end";
    uint32_t lifetime_end = LLVMLookupIntrinsicID(end_name, strlen(end_name));
    LLVMDIBuilderRef b = LLVMCreateDIBuilder(l->module);
    LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(b, NULL, 0);
    Map locals = {0};
    for (f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !LLVMGetSubprogram(f)) continue;
        lower_map_reset(&locals);
        LLVMValueRef returned = returned_local(f);
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);
        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef v = LLVMGetFirstInstruction(block);
            for (; v; v = LLVMGetNextInstruction(v)) {
                bool store = LLVMGetInstructionOpcode(v) == LLVMStore;
                LLVMValueRef local = store ? LLVMGetOperand(v, 1) : ended_local(v, lifetime_end);
                if (!local) continue;
                bool through =
                    store && is_pointer_in_local(local) &&
                    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0))) == LLVMPointerTypeKind;
                if (!through && !LLVMIsAAllocaInst(local)) continue;
                LLVMMetadataRef at = LLVMInstructionGetDebugLoc(v);
                if (!at) continue;
                uint32_t n = through ? MARK_THROUGH : MARK_RETURN;
                if (!through && !(store && local == returned))
                    n = MARK_LOCALS +
                        2 * (uint32_t)*map_at(&locals, (uintptr_t)local, locals.len, NULL) + !store;
                LLVMMetadataRef mark = mark_node(l, b, scope, n);
                LLVMValueRef value =
                    store ? LLVMGetOperand(v, 0) : LLVMGetPoison(LLVMTypeOf(local));
                LLVMDIBuilderInsertDbgValueRecordBefore(b, value, mark, expression, at, v);
            }
        }
    }
    map_free(&locals);
    LLVMDisposeDIBuilder(b);
}

bool lower_mark_met(Lower *l, LLVMMetadataRef var, LLVMValueRef call)
{
    uint64_t *at = map_get(&l->marks, (uintptr_t)var);
    if (!at) return false;
    uint32_t local = (uint32_t)*at / 2; // 0: none
    if (*at == MARK_RETURN) {
        lower_emit(l, OP_NOP, mtype(MT_VOID, 0), 0, 0, 0, 0);
        return true;
    }
    if (l->mark_vars.len <= local) vec_extend(&l->mark_vars, local + 1 - l->mark_vars.len);
    if (*at % 2 == 0) {
        l->store_loc = LLVMInstructionGetDebugLoc(call);
        l->store_local = local;
    } else if (l->mark_vars.at[local]) {
        lower_emit(l, OP_BIND, mtype(MT_VOID, 0), 0, l->mark_vars.at[local], 0, 0);
    }
    return true;
}

void lower_mark_bound(Lower *l, uint32_t var)
{
    if (!l->store_loc) return;
    if (!l->loc.id) {
        l->loc = lower_loc_of(l, l->store_loc);
        if (l->store_local) l->mark_vars.at[l->store_local] = var;
    }
    l->store_loc = NULL;
}
