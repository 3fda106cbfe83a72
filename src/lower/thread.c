// Ways out of a scope, kept apart. Where several of them (return, break, continue, falling off the
// end) leave a scope that has something to clean up, clang stores a number in a hidden local, jumps
// to the one cleanup block, and switches over the number behind it:
//
//     if.then:   store 1, slot; br cleanup        cleanup:  lifetime.end ...
//     if.end:    store 0, slot; br cleanup                  switch (load slot) [0: cont, 1: return]
//
// Followed literally, the paths merge in the cleanup block and whatever told them apart is lost to
// all stages that look at branches. So the cleanup block is copied for each number that a
// predecessor stores, and the copy jumps where the switch would. This is done before mem2reg,
// when no value but the number's load crosses a block, so no phi has to be mended.
#include "lower/lower_int.h"

// Larger cleanups (many destructors) stay shared: errs towards merged paths, not towards size.
enum { COPY_MAX = 24 };

typedef struct {
    Lower *l;
    LLVMBuilderRef builder;
    LLVMValueRef fn;
    Map slots;  // hidden local -> 1: only loaded and stored, 0: not
    Map exits;  // block -> its slot, 0: no cleanup block
    Map copies; // block and number -> copy
    Map known;  // copy -> number
} Threads;

static bool has_line(LLVMValueRef v)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(v);
    return at && LLVMDILocationGetLine(at);
}

static bool is_private(Threads *t, LLVMValueRef slot)
{
    bool fresh;
    uint64_t *at = map_at(&t->slots, (uintptr_t)slot, 1, &fresh);
    if (!fresh) return *at;
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMFence;
        bool fine = op == LLVMLoad || (op == LLVMStore && LLVMGetOperand(user, 1) == slot &&
                                       LLVMGetOperand(user, 0) != slot);
        if (fine && !LLVMGetVolatile(user)) continue;
        *at = 0;
        return false;
    }
    return true;
}

// The slot that the block's switch reads, null when this is no cleanup block that can be copied.
static LLVMValueRef find_exit(Threads *t, LLVMBasicBlockRef b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (LLVMGetInstructionOpcode(end) != LLVMSwitch || has_line(end)) return NULL;
    LLVMValueRef load = LLVMGetOperand(end, 0);
    if (!LLVMIsALoadInst(load) || LLVMGetInstructionParent(load) != b) return NULL;
    LLVMValueRef slot = LLVMGetOperand(load, 0);
    if (!LLVMIsAAllocaInst(slot) || !is_private(t, slot)) return NULL;
    if (LLVMGetIntTypeWidth(LLVMTypeOf(load)) > 64) return NULL;
    uint32_t count = 0;
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v != end; v = LLVMGetNextInstruction(v)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(v);
        if (op == LLVMPHI || op == LLVMLandingPad || op == LLVMAlloca) return NULL;
        if (op == LLVMStore && LLVMGetOperand(v, 1) == slot) return NULL;
        if (++count > COPY_MAX) return NULL;
        for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != b) return NULL;
            if (v == load && user != end) return NULL;
        }
    }
    return slot;
}

static LLVMValueRef exit_slot(Threads *t, LLVMBasicBlockRef b)
{
    bool fresh;
    uint64_t *at = map_at(&t->exits, (uintptr_t)b, 0, &fresh);
    if (!fresh) return (LLVMValueRef)(uintptr_t)*at;
    LLVMValueRef slot = find_exit(t, b);
    map_set(&t->exits, (uintptr_t)b, (uintptr_t)slot);
    return slot;
}

// The number that the slot holds at the end of the block.
static bool number_at_end(Threads *t, LLVMBasicBlockRef b, LLVMValueRef slot, LLVMValueRef *number)
{
    LLVMValueRef v = LLVMGetBasicBlockTerminator(b);
    while ((v = LLVMGetPreviousInstruction(v))) {
        if (LLVMGetInstructionOpcode(v) != LLVMStore || LLVMGetOperand(v, 1) != slot) continue;
        *number = LLVMGetOperand(v, 0);
        return LLVMIsAConstantInt(*number) != NULL;
    }
    uint64_t *at = map_get(&t->known, (uintptr_t)b);
    if (at) *number = (LLVMValueRef)(uintptr_t)*at;
    return at != NULL;
}

static void redirect(Threads *t, LLVMBasicBlockRef from, uint32_t depth);

static LLVMBasicBlockRef target_of(LLVMValueRef sw, LLVMValueRef number)
{
    uint32_t n = LLVMGetNumSuccessors(sw);
    for (uint32_t i = 1; i < n; i++) // constants are unique in LLVM
        if (LLVMGetOperand(sw, 2 * i) == number) return LLVMGetSuccessor(sw, i);
    return LLVMGetSuccessor(sw, 0);
}

static LLVMBasicBlockRef copy_for(Threads *t, LLVMBasicBlockRef b, LLVMValueRef number,
                                  uint32_t depth)
{
    int64_t n = LLVMConstIntGetSExtValue(number);
    if (n < 0 || n > UINT8_MAX) return b; // clang counts from 0
    bool fresh;
    uint64_t *at = map_at(&t->copies, (uintptr_t)b | (uint64_t)n << 56, 0, &fresh);
    if (!fresh) return (LLVMBasicBlockRef)(uintptr_t)*at;
    LLVMBasicBlockRef copy = LLVMAppendBasicBlockInContext(t->l->context, t->fn, "");
    *at = (uintptr_t)copy;
    LLVMPositionBuilderAtEnd(t->builder, copy);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b), read = LLVMGetOperand(end, 0);
    Map values = {0};
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v != end; v = LLVMGetNextInstruction(v)) {
        if (v == read) continue;
        LLVMValueRef made = LLVMInstructionClone(v);
        LLVMInsertIntoBuilder(t->builder, made);
        uint32_t operands = (uint32_t)LLVMGetNumOperands(made);
        for (uint32_t i = 0; i < operands; i++) {
            uint64_t *of = map_get(&values, (uintptr_t)LLVMGetOperand(made, i));
            if (of) LLVMSetOperand(made, i, (LLVMValueRef)(uintptr_t)*of);
        }
        map_set(&values, (uintptr_t)v, (uintptr_t)made);
    }
    map_free(&values);
    LLVMBasicBlockRef to = target_of(end, number);
    LLVMBuildBr(t->builder, to);
    LLVMValueRef phi = LLVMGetFirstInstruction(to);
    for (; phi && LLVMGetInstructionOpcode(phi) == LLVMPHI; phi = LLVMGetNextInstruction(phi)) {
        uint32_t count = LLVMCountIncoming(phi);
        for (uint32_t i = 0; i < count; i++) {
            if (LLVMGetIncomingBlock(phi, i) != b) continue;
            LLVMValueRef v = LLVMGetIncomingValue(phi, i);
            LLVMAddIncoming(phi, &v, &copy, 1);
            break;
        }
    }
    map_set(&t->known, (uintptr_t)copy, (uintptr_t)number);
    redirect(t, copy, depth + 1);
    return copy;
}

static void redirect(Threads *t, LLVMBasicBlockRef from, uint32_t depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    uint32_t n = LLVMGetNumSuccessors(end);
    // A switch or an indirect branch with many ways is not how a scope is left.
    if (n > 2 || LLVMGetInstructionOpcode(end) == LLVMIndirectBr || depth > 64) return;
    for (uint32_t i = 0; i < n; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
        LLVMValueRef slot = exit_slot(t, to), number;
        if (slot && number_at_end(t, from, slot, &number))
            LLVMSetSuccessor(end, i, copy_for(t, to, number, depth));
    }
}

static bool has_hidden_switch(LLVMValueRef fn)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMGetInstructionOpcode(end) == LLVMSwitch && !has_line(end)) return true;
    }
    return false;
}

void lower_thread_exits(Lower *l)
{
    Threads t = {.l = l, .builder = LLVMCreateBuilderInContext(l->context)};
    VEC(LLVMBasicBlockRef) blocks = {0};
    for (t.fn = LLVMGetFirstFunction(l->module); t.fn; t.fn = LLVMGetNextFunction(t.fn)) {
        // Without debug information the switches of the source have no line either.
        if (LLVMIsDeclaration(t.fn) || !LLVMGetSubprogram(t.fn) || !has_hidden_switch(t.fn))
            continue;
        vec_clear(&blocks);
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t.fn);
        for (; b; b = LLVMGetNextBasicBlock(b)) vec_push(&blocks, b);
        vec_each (i, &blocks) redirect(&t, blocks.at[i], 0);
        lower_map_reset(&t.slots);
        lower_map_reset(&t.exits);
        lower_map_reset(&t.copies);
        lower_map_reset(&t.known);
    }
    vec_free(&blocks);
    map_free(&t.slots);
    map_free(&t.exits);
    map_free(&t.copies);
    map_free(&t.known);
    LLVMDisposeBuilder(t.builder);
}
