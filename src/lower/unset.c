// Local integers that nothing ever assigns to. mem2reg would make one and the same undefined value
// of all of them, as if two such variables were always equal; so each gets a value of its own
// first, which is the same wherever the variable is read.
#include "lower/lower_int.h"

// Read, and used in no other way than that and by the markers of its scope.
static bool is_only_read(LLVMValueRef local)
{
    bool read = false;
    for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) && !LLVMGetVolatile(user))
            read = true;
        else if (!LLVMIsAIntrinsicInst(user))
            return false;
    }
    return read;
}

void lower_unset_locals(Lower *l)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(l->module));
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f)) continue;
        LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
        for (; v && LLVMIsAAllocaInst(v); v = LLVMGetNextInstruction(v)) {
            LLVMTypeRef type = LLVMGetAllocatedType(v);
            if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !is_only_read(v)) continue;
            LLVMValueRef after = v;
            while (LLVMIsAAllocaInst(after)) after = LLVMGetNextInstruction(after);
            LLVMPositionBuilderBefore(b, after);
            LLVMBuildStore(b, LLVMBuildFreeze(b, LLVMGetUndef(type), ""), v);
        }
    }
    LLVMDisposeBuilder(b);
}
