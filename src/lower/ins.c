// Bodies of functions: blocks in reverse post order, so that (phis apart) every operand is
// lowered before its user, as the SSA form promises.
#include "lower/lower_int.h"

static Func *func_of(Lower *l)
{
    return &l->u->funcs.at[l->func];
}

Ref lower_emit(Lower *l, Op op, MType t, uint32_t a, uint32_t b, uint32_t c, uint8_t flags)
{
    Ins ins = {.op = (uint8_t)op, .flags = flags, .type = t, .a = a, .b = b, .c = c};
    ins.loc = l->loc.id;
    vec_push(&l->u->ins, ins);
    return ref_ins(l->u->ins.len - 1 - l->first_ins);
}

Ref lower_emit_list(Lower *l, Op op, MType t, Ref callee, const Ref *args, uint32_t n,
                    uint8_t flags)
{
    uint32_t at = l->u->extra.len - l->first_extra;
    for (uint32_t i = 0; i < n; i++) vec_push(&l->u->extra, args[i].bits);
    return lower_emit(l, op, t, callee.bits, at, n, flags);
}

Ref lower_emit_calc(Lower *l, Calc calc, MType elem, MType t, const Ref *args, uint32_t n)
{
    return lower_emit_list(l, OP_OPAQUE, t, (Ref){calc_word(calc, elem)}, args, n, 0);
}

static Ins *ins_of(Lower *l, Ref r)
{
    return &l->u->ins.at[l->first_ins + ref_index(r)];
}

MType lower_ref_type(Lower *l, Ref r)
{
    Func f = {.first_ins = l->first_ins, .first_param = func_of(l)->first_param};
    return ref_type(l->u, &f, r);
}

static void define(Lower *l, LLVMValueRef v, Ref r)
{
    map_set(&l->values, (uintptr_t)v, r.bits);
}

static uint32_t block_of(Lower *l, LLVMBasicBlockRef b)
{
    return (uint32_t)*map_get(&l->blocks, (uintptr_t)b);
}

// --- aggregates

// A part that was just put in needs no instruction: most pairs are taken apart at once.
Ref lower_part(Lower *l, Ref aggregate, uint64_t offset, MType t)
{
    uint64_t end = offset + (mtype_bytes(t) ? mtype_bytes(t) : 1);
    for (Ref r = aggregate; ref_is_ins(r) && ins_of(l, r)->op == OP_SETPART;) {
        const Ins *set = ins_of(l, r);
        MType of = lower_ref_type(l, (Ref){set->b});
        if (set->c == offset && of.bits == t.bits) return (Ref){set->b};
        uint32_t bytes = mtype_bytes(of);
        if (!bytes || !mtype_bytes(t) || (set->c < end && offset < (uint64_t)set->c + bytes)) break;
        r = (Ref){set->a};
    }
    if (offset > UINT32_MAX) return lower_opaque(l, t);
    return lower_emit(l, OP_PART, t, aggregate.bits, (uint32_t)offset, 0, 0);
}

Ref lower_set_part(Lower *l, Ref aggregate, Ref value, uint64_t offset, MType t)
{
    if (offset > UINT32_MAX) return aggregate;
    return lower_emit(l, OP_SETPART, t, aggregate.bits, value.bits, (uint32_t)offset, 0);
}

static uint64_t part_offset(Lower *l, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 0));
    const unsigned *at = LLVMGetIndices(v);
    uint32_t n = LLVMGetNumIndices(v);
    uint64_t offset = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            offset += LLVMOffsetOfElement(l->layout, t, at[i]);
            t = LLVMStructGetTypeAtIndex(t, at[i]);
        } else {
            t = LLVMGetElementType(t);
            offset += at[i] * lower_type(l, t)->size;
        }
    }
    return offset;
}

// --- addresses

static uint32_t node_behind(Lower *l, Ref base)
{
    // `a[i].f`: the field node of `a` tells the type of an anonymous struct.
    if (!ref_is_ins(base)) return 0;
    uint64_t *at = map_get(&l->ins_fields, ref_index(base));
    return at ? (uint32_t)*at : 0;
}

static Ref step(Lower *l, Ref base, int64_t offset, uint32_t node, uint8_t flags)
{
    if (offset == 0 && !node) return base;
    MType ptr = mtype(MT_PTR, l->u->pointer_bytes);
    Ref r;
    if (offset >= INT32_MIN && offset <= INT32_MAX) {
        r = lower_emit(l, OP_FIELD, ptr, base.bits, (uint32_t)(int32_t)offset, node, flags);
    } else {
        Ref k = lower_int(l, l->pointer_bits, offset);
        r = lower_emit(l, OP_INDEX, ptr, base.bits, k.bits, 1, flags);
    }
    if (node) map_set(&l->ins_fields, ref_index(r), node);
    return r;
}

static Ref index_by(Lower *l, Ref base, LLVMValueRef index, uint64_t scale, uint8_t flags)
{
    MType ptr = mtype(MT_PTR, l->u->pointer_bytes), word = mtype(MT_INT, l->pointer_bits);
    Ref i = lower_value(l, index);
    MType t = lower_ref_type(l, i);
    if (scale == 0) return base;
    if (mtype_size(t) < l->pointer_bits) i = lower_emit(l, OP_SEXT, word, i.bits, 0, 0, 0);
    if (mtype_size(t) > l->pointer_bits) i = lower_emit(l, OP_TRUNC, word, i.bits, 0, 0, 0);
    if (scale > UINT32_MAX) {
        Ref k = lower_int(l, l->pointer_bits, (int64_t)scale);
        i = lower_emit(l, OP_MUL, word, i.bits, k.bits, 0, 0);
        scale = 1;
    }
    uint32_t node = node_behind(l, base);
    Ref r = lower_emit(l, OP_INDEX, ptr, base.bits, i.bits, (uint32_t)scale, flags);
    if (node) map_set(&l->ins_fields, ref_index(r), node);
    return r;
}

static Ref lower_gep(Lower *l, LLVMValueRef v)
{
    if (mtype_class(lower_mtype_of(l, v)) != MT_PTR) return ref_none(); // vectors of pointers
    Ref base = lower_value(l, LLVMGetOperand(v, 0));
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    uint8_t flags = LLVMIsInBounds(v) ? INS_INBOUNDS : 0;
    uint32_t n = (uint32_t)LLVMGetNumOperands(v);
    uint32_t node = 0, behind = node_behind(l, base);
    int64_t offset = 0;
    for (uint32_t i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(v, i);
        bool constant = LLVMGetValueKind(index) == LLVMConstantIntValueKind;
        int64_t k = constant ? LLVMConstIntGetSExtValue(index) : 0;
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            if (!constant) return ref_none();
            offset += (int64_t)LLVMOffsetOfElement(l->layout, t, (uint32_t)k);
            node = lower_field_node(l, node ? node : behind, node != 0, t, (uint32_t)k);
            t = LLVMStructGetTypeAtIndex(t, (uint32_t)k);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        uint64_t size = lower_type(l, t)->size;
        if (constant) {
            offset = (int64_t)((uint64_t)offset + (uint64_t)k * size);
            continue;
        }
        base = step(l, base, offset, node, flags);
        base = index_by(l, base, index, size, flags);
        behind = node ? node : behind;
        offset = 0;
        node = 0;
    }
    return step(l, base, offset, node, flags);
}

// --- plain instructions

// Floats that are recognised by their size alone; the two others of 2 and 16 bytes are not computed with.
static bool is_plain_float(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind ||
           kind == LLVMFP128TypeKind;
}

static Calc float_calc(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMFNeg:
        return CALC_FNEG;
    case LLVMFAdd:
        return CALC_FADD;
    case LLVMFSub:
        return CALC_FSUB;
    case LLVMFMul:
        return CALC_FMUL;
    case LLVMFDiv:
        return CALC_FDIV;
    case LLVMFRem:
        return CALC_FREM;
    case LLVMFPToUI:
        return CALC_FPTOUI;
    case LLVMFPToSI:
        return CALC_FPTOSI;
    case LLVMUIToFP:
        return CALC_UITOFP;
    case LLVMSIToFP:
        return CALC_SITOFP;
    case LLVMFPTrunc:
        return CALC_FPTRUNC;
    case LLVMFPExt:
        return CALC_FPEXT;
    default:
        return CALC_NONE;
    }
}

// What an instruction without an op of its own computes, as far as we have a word for it. Of
// vectors only moving elements has one.
static Calc calc_of(Lower *l, LLVMValueRef v, MType *elem)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    *elem = mtype(MT_VOID, 0);
    if (opcode == LLVMFreeze) return CALC_ANY;
    if (!LLVMGetNumOperands(v)) return CALC_NONE;
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(v, 0)), to = LLVMTypeOf(v);
    if (opcode == LLVMExtractElement || opcode == LLVMInsertElement) {
        if (LLVMGetTypeKind(from) != LLVMVectorTypeKind) return CALC_NONE;
        *elem = lower_mtype(l, LLVMGetElementType(from));
        bool bits = mtype_class(*elem) == MT_INT && mtype_size(*elem) % 8;
        if (bits) return CALC_NONE;
        return opcode == LLVMExtractElement ? CALC_EXTRACT : CALC_INSERT;
    }
    if (opcode == LLVMBitCast) return CALC_BITCAST;
    if (opcode == LLVMFCmp)
        return is_plain_float(from) ? (Calc)(CALC_FCMP_FALSE + (int)LLVMGetFCmpPredicate(v))
                                    : CALC_NONE;
    Calc calc = float_calc(opcode);
    bool from_int = calc == CALC_UITOFP || calc == CALC_SITOFP,
         to_int = calc == CALC_FPTOUI || calc == CALC_FPTOSI;
    bool known = (from_int ? LLVMGetTypeKind(from) == LLVMIntegerTypeKind : is_plain_float(from)) &&
                 (to_int ? LLVMGetTypeKind(to) == LLVMIntegerTypeKind : is_plain_float(to));
    return known ? calc : CALC_NONE;
}

static Ref lower_opaque_ins(Lower *l, LLVMValueRef v)
{
    Ref args[64];
    uint32_t n = (uint32_t)LLVMGetNumOperands(v), count = 0;
    for (uint32_t i = 0; i < n && count < 64; i++)
        args[count++] = lower_value(l, LLVMGetOperand(v, i));
    MType elem;
    Calc calc = calc_of(l, v, &elem);
    return lower_emit_calc(l, calc, elem, lower_mtype_of(l, v), args, count);
}

static Op arithmetic(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd:
        return OP_ADD;
    case LLVMSub:
        return OP_SUB;
    case LLVMMul:
        return OP_MUL;
    case LLVMUDiv:
        return OP_UDIV;
    case LLVMSDiv:
        return OP_SDIV;
    case LLVMURem:
        return OP_UREM;
    case LLVMSRem:
        return OP_SREM;
    case LLVMShl:
        return OP_SHL;
    case LLVMLShr:
        return OP_LSHR;
    case LLVMAShr:
        return OP_ASHR;
    case LLVMAnd:
        return OP_AND;
    case LLVMOr:
        return OP_OR;
    case LLVMXor:
        return OP_XOR;
    default:
        return OP_NOP;
    }
}

static Ref lower_binary(Lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
    MType t = lower_mtype_of(l, v);
    if (mtype_class(t) != MT_INT) return lower_opaque_ins(l, v);
    uint8_t flags = 0;
    if (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul || opcode == LLVMShl) {
        if (LLVMGetNSW(v)) flags |= INS_NSW;
        if (LLVMGetNUW(v)) flags |= INS_NUW;
    }
    Ref a = lower_value(l, LLVMGetOperand(v, 0)), b = lower_value(l, LLVMGetOperand(v, 1));
    return lower_emit(l, arithmetic(opcode), t, a.bits, b.bits, 0, flags);
}

static Ref lower_compare(Lower *l, LLVMValueRef v)
{
    MType t = lower_mtype_of(l, v);
    if (mtype_class(t) != MT_INT) return lower_opaque_ins(l, v);
    Ref a = lower_value(l, LLVMGetOperand(v, 0)), b = lower_value(l, LLVMGetOperand(v, 1));
    Op op = OP_NOP;
    bool swap = false;
    switch (LLVMGetICmpPredicate(v)) {
    case LLVMIntEQ:
        op = OP_EQ;
        break;
    case LLVMIntNE:
        op = OP_NE;
        break;
    case LLVMIntUGT:
        swap = true; // fall through
    case LLVMIntULT:
        op = OP_ULT;
        break;
    case LLVMIntUGE:
        swap = true; // fall through
    case LLVMIntULE:
        op = OP_ULE;
        break;
    case LLVMIntSGT:
        swap = true; // fall through
    case LLVMIntSLT:
        op = OP_SLT;
        break;
    case LLVMIntSGE:
        swap = true; // fall through
    case LLVMIntSLE:
        op = OP_SLE;
        break;
    }
    return swap ? lower_emit(l, op, t, b.bits, a.bits, 0, 0)
                : lower_emit(l, op, t, a.bits, b.bits, 0, 0);
}

static Ref lower_cast(Lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
    LLVMValueRef from = LLVMGetOperand(v, 0);
    MType t = lower_mtype_of(l, v), of = lower_mtype_of(l, from);
    MClass class = mtype_class(t), from_class = mtype_class(of);
    if (class == MT_VEC || from_class == MT_VEC) return lower_opaque_ins(l, v);
    Op op = opcode == LLVMTrunc      ? OP_TRUNC
            : opcode == LLVMZExt     ? OP_ZEXT
            : opcode == LLVMSExt     ? OP_SEXT
            : opcode == LLVMPtrToInt ? OP_PTRTOINT
                                     : OP_INTTOPTR;
    return lower_emit(l, op, t, lower_value(l, from).bits, 0, 0, 0);
}

static uint8_t memory_flags(LLVMValueRef v)
{
    uint8_t flags = LLVMGetVolatile(v) ? INS_VOLATILE : 0;
    if (LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic) flags |= INS_ATOMIC;
    return flags;
}

static Ref lower_alloca(Lower *l, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMGetAllocatedType(v);
    Local local = {.size = lower_type(l, t)->size, .align = LLVMGetAlignment(v)};
    vec_push(&l->u->locals, local);
    Ref count = lower_value(l, LLVMGetOperand(v, 0));
    return lower_emit(l, OP_ALLOCA, mtype(MT_PTR, l->u->pointer_bytes), count.bits,
                      l->u->locals.len - l->first_local, 0, 0);
}

// --- atomic operations: load, compute, store. That a counter is volatile too, as libraries declare
// the argument of such functions, says nothing about its memory.

static Ref choose(Lower *l, Op op, Ref a, Ref b, MType t)
{
    Ref c = lower_emit(l, op, mtype(MT_INT, 1), a.bits, b.bits, 0, 0);
    return lower_emit(l, OP_SELECT, t, c.bits, a.bits, b.bits, 0);
}

static Ref lower_rmw(Lower *l, LLVMValueRef v)
{
    Ref at = lower_value(l, LLVMGetOperand(v, 0)), with = lower_value(l, LLVMGetOperand(v, 1));
    MType t = lower_mtype_of(l, v);
    Ref old = lower_emit(l, OP_LOAD, t, at.bits, 0, 0, INS_ATOMIC), now;
    LLVMAtomicRMWBinOp how = LLVMGetAtomicRMWBinOp(v);
    bool plain = mtype_class(t) == MT_INT;
    if (how == LLVMAtomicRMWBinOpXchg) {
        now = with;
    } else if (plain && how == LLVMAtomicRMWBinOpAdd) {
        now = lower_emit(l, OP_ADD, t, old.bits, with.bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpSub) {
        now = lower_emit(l, OP_SUB, t, old.bits, with.bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpAnd) {
        now = lower_emit(l, OP_AND, t, old.bits, with.bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpOr) {
        now = lower_emit(l, OP_OR, t, old.bits, with.bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpXor) {
        now = lower_emit(l, OP_XOR, t, old.bits, with.bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpNand) {
        now = lower_emit(l, OP_AND, t, old.bits, with.bits, 0, 0);
        now = lower_emit(l, OP_XOR, t, now.bits, lower_int(l, mtype_size(t), -1).bits, 0, 0);
    } else if (plain && how == LLVMAtomicRMWBinOpMin) {
        now = choose(l, OP_SLT, old, with, t);
    } else if (plain && how == LLVMAtomicRMWBinOpMax) {
        now = choose(l, OP_SLT, with, old, t);
        ins_of(l, now)->b = old.bits;
        ins_of(l, now)->c = with.bits;
    } else if (plain && how == LLVMAtomicRMWBinOpUMin) {
        now = choose(l, OP_ULT, old, with, t);
    } else if (plain && how == LLVMAtomicRMWBinOpUMax) {
        now = choose(l, OP_ULT, with, old, t);
        ins_of(l, now)->b = old.bits;
        ins_of(l, now)->c = with.bits;
    } else {
        bool known = is_plain_float(LLVMTypeOf(v));
        Calc calc = !known                               ? CALC_NONE
                    : how == LLVMAtomicRMWBinOpFAdd ? CALC_FADD
                    : how == LLVMAtomicRMWBinOpFSub ? CALC_FSUB
                                                    : CALC_NONE;
        now = lower_emit_calc(l, calc, mtype(MT_VOID, 0), t, (Ref[]){old, with}, 2);
    }
    lower_emit(l, OP_STORE, t, at.bits, now.bits, 0, INS_ATOMIC);
    return old;
}

static Ref lower_cmpxchg(Lower *l, LLVMValueRef v)
{
    Ref at = lower_value(l, LLVMGetOperand(v, 0)), want = lower_value(l, LLVMGetOperand(v, 1)),
        with = lower_value(l, LLVMGetOperand(v, 2));
    LLVMTypeRef pair = LLVMTypeOf(v);
    MType t = lower_mtype(l, LLVMStructGetTypeAtIndex(pair, 0)), flag = mtype(MT_INT, 1),
          both = lower_mtype(l, pair);
    Ref old = lower_emit(l, OP_LOAD, t, at.bits, 0, 0, INS_ATOMIC);
    Ref same = lower_emit(l, OP_EQ, flag, old.bits, want.bits, 0, 0);
    Ref now = lower_emit(l, OP_SELECT, t, same.bits, with.bits, old.bits, 0);
    lower_emit(l, OP_STORE, t, at.bits, now.bits, 0, INS_ATOMIC);
    Ref r = lower_set_part(l, lower_undef(l, both), old, 0, both);
    return lower_set_part(l, r, same, LLVMOffsetOfElement(l->layout, pair, 1), both);
}

// --- terminators

static void lower_switch(Lower *l, LLVMValueRef v)
{
    Ref on = lower_value(l, LLVMGetOperand(v, 0));
    uint32_t n = LLVMGetNumSuccessors(v), at = l->u->extra.len - l->first_extra;
    for (uint32_t i = 1; i < n; i++) {
        Ref value = lower_value(l, LLVMGetOperand(v, 2 * i));
        vec_push(&l->u->extra, value.bits);
        vec_push(&l->u->extra, block_of(l, LLVMGetSuccessor(v, i)));
    }
    vec_push(&l->u->extra, block_of(l, LLVMGetSuccessor(v, 0)));
    lower_emit(l, OP_SWITCH, mtype(MT_VOID, 0), on.bits, at, n - 1, 0);
}

static void lower_goto(Lower *l, LLVMValueRef v)
{
    Ref on = lower_value(l, LLVMGetOperand(v, 0));
    uint32_t n = LLVMGetNumSuccessors(v), at = l->u->extra.len - l->first_extra;
    for (uint32_t i = 0; i < n; i++) vec_push(&l->u->extra, block_of(l, LLVMGetSuccessor(v, i)));
    lower_emit(l, OP_GOTO, mtype(MT_VOID, 0), on.bits, at, n, 0);
}

static void lower_branch(Lower *l, LLVMValueRef v)
{
    MType none = mtype(MT_VOID, 0);
    if (!LLVMIsConditional(v)) {
        lower_emit(l, OP_JUMP, none, block_of(l, LLVMGetSuccessor(v, 0)), 0, 0, 0);
        return;
    }
    Ref on = lower_value(l, LLVMGetCondition(v));
    uint32_t yes = block_of(l, LLVMGetSuccessor(v, 0)), no = block_of(l, LLVMGetSuccessor(v, 1));
    if (yes == no)
        lower_emit(l, OP_JUMP, none, yes, 0, 0, 0);
    else
        lower_emit(l, OP_BRANCH, none, on.bits, yes, no, 0);
}

static uint64_t phi_key(Lower *l, uint32_t block, LLVMValueRef v)
{
    return map_pair((uint32_t)*map_at(&l->phi_consts, (uintptr_t)v, l->phi_consts.len, NULL),
                    block);
}

// A constant that enters a phi of a successor and needs code gets it here, at the end of the
// predecessor.
static void prepare_phis(Lower *l, LLVMValueRef terminator)
{
    uint32_t n = LLVMGetNumSuccessors(terminator);
    LLVMBasicBlockRef here = LLVMGetInstructionParent(terminator);
    for (uint32_t s = 0; s < n; s++) {
        LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(terminator, s));
        for (; phi && LLVMGetInstructionOpcode(phi) == LLVMPHI; phi = LLVMGetNextInstruction(phi)) {
            uint32_t count = LLVMCountIncoming(phi);
            for (uint32_t i = 0; i < count; i++) {
                if (LLVMGetIncomingBlock(phi, i) != here) continue;
                LLVMValueRef v = LLVMGetIncomingValue(phi, i);
                if (!lower_needs_code(l, v)) break;
                uint64_t key = phi_key(l, l->block, v);
                if (map_get(&l->phi_code, key)) break;
                Ref r = lower_value(l, v);
                map_set(&l->phi_code, key, r.bits);
                break;
            }
        }
    }
}

static void finish_phis(Lower *l)
{
    vec_clear(&l->phi_stamp);
    vec_extend(&l->phi_stamp, l->blocks.len);
    vec_each (p, &l->phis) {
        LLVMValueRef phi = l->phis.at[p].phi;
        uint32_t n = LLVMCountIncoming(phi), at = l->u->extra.len - l->first_extra, count = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint64_t *block = map_get(&l->blocks, (uintptr_t)LLVMGetIncomingBlock(phi, i));
            if (!block) continue;                           // an edge from unreachable code
            if (l->phi_stamp.at[*block] == p + 1) continue; // a second edge brings the same value
            l->phi_stamp.at[*block] = p + 1;
            LLVMValueRef v = LLVMGetIncomingValue(phi, i);
            uint64_t *code = NULL;
            if (l->phi_code.len) code = map_get(&l->phi_code, phi_key(l, (uint32_t)*block, v));
            Ref r = code ? (Ref){(uint32_t)*code} : lower_value(l, v);
            vec_push(&l->u->extra, (uint32_t)*block);
            vec_push(&l->u->extra, r.bits);
            count++;
        }
        Ins *ins = &l->u->ins.at[l->first_ins + l->phis.at[p].ins];
        ins->b = at;
        ins->c = count;
    }
}

// A parameter that stays in memory, whole or as a register of a struct, has its local's name.
static void note_spill(Lower *l, uint32_t param, Ref at)
{
    if (ref_is_ins(at) && ins_of(l, at)->op == OP_FIELD) at = (Ref){ins_of(l, at)->a};
    if (!ref_is_ins(at) || ins_of(l, at)->op != OP_ALLOCA) return;
    Spill s = {.param = param, .local = ins_of(l, at)->b};
    vec_push(&l->spills, s);
}

static void name_spilled(Lower *l)
{
    vec_each (i, &l->spills) {
        Spill s = l->spills.at[i];
        Param *p = &l->u->params.at[func_of(l)->first_param + s.param];
        if (!p->name.id && !(p->flags & PARAM_SRET))
            p->name = l->u->locals.at[l->first_local + s.local - 1].name;
    }
}

// --- exceptions

// The type infos that are caught, in order; before those of an exception specification their
// number.
static Ref lower_landing(Lower *l, LLVMValueRef v)
{
    VEC(Ref) clauses = {0};
    uint32_t n = LLVMGetNumClauses(v);
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef clause = LLVMGetClause(v, i);
        LLVMTypeRef t = LLVMTypeOf(clause);
        if (LLVMGetTypeKind(t) != LLVMArrayTypeKind) {
            vec_push(&clauses, lower_value(l, clause));
            continue;
        }
        uint32_t count = (uint32_t)LLVMGetArrayLength2(t);
        vec_push(&clauses, lower_int(l, 32, count));
        for (uint32_t k = 0; k < count; k++)
            vec_push(&clauses, lower_value(l, LLVMGetAggregateElement(clause, k)));
    }
    Ref r = lower_emit_list(l, OP_LANDING, lower_mtype_of(l, v),
                            (Ref){LLVMIsCleanup(v) ? LANDING_CLEANUP : 0}, clauses.at, clauses.len,
                            0);
    vec_free(&clauses);
    return r;
}

// --- one instruction

// Instructions that have no value that others use by name: ends of blocks, and calls, which define
// theirs on their own. False: it is none of these.
static bool lower_control(Lower *l, LLVMValueRef v, LLVMOpcode opcode)
{
    MType none = mtype(MT_VOID, 0);
    switch (opcode) {
    case LLVMRet: {
        Ref value = LLVMGetNumOperands(v) ? lower_value(l, LLVMGetOperand(v, 0)) : ref_none();
        lower_emit(l, OP_RET, none, value.bits, 0, 0, 0);
        return true;
    }
    case LLVMBr:
        lower_branch(l, v);
        return true;
    case LLVMSwitch:
        lower_switch(l, v);
        return true;
    case LLVMIndirectBr:
        lower_goto(l, v);
        return true;
    case LLVMUnreachable:
        lower_emit(l, OP_UNREACHABLE, none, 0, 0, 0, 0);
        return true;
    case LLVMResume:
        lower_emit(l, OP_RESUME, none, lower_value(l, LLVMGetOperand(v, 0)).bits, 0, 0, 0);
        return true;
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMCall:
        lower_call(l, v, opcode);
        return true;
    case LLVMCleanupRet:
    case LLVMCatchRet:
    case LLVMCatchPad:
    case LLVMCleanupPad:
    case LLVMCatchSwitch:
        lower_refuse(l, "exception handling by funclets (a Windows target) is not supported");
        return true;
    default:
        return false;
    }
}

static void lower_instruction(Lower *l, LLVMValueRef v)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    l->loc = lower_loc(l, v);
    if (opcode != LLVMCall) l->store_loc = NULL;
    if (LLVMIsATerminatorInst(v)) prepare_phis(l, v);
    if (lower_control(l, v, opcode)) return;
    Ref r = ref_none();
    switch (opcode) {
    case LLVMAlloca:
        r = lower_alloca(l, v);
        break;
    case LLVMLoad: {
        Ref at = lower_value(l, LLVMGetOperand(v, 0));
        r = lower_emit(l, OP_LOAD, lower_mtype_of(l, v), at.bits, 0, 0, memory_flags(v));
        break;
    }
    case LLVMStore: {
        LLVMValueRef what = LLVMGetOperand(v, 0);
        Ref value = lower_value(l, what), at = lower_value(l, LLVMGetOperand(v, 1));
        if (l->block == 0 && ref_is_param(value)) note_spill(l, ref_index(value), at);
        lower_emit(l, OP_STORE, lower_mtype_of(l, what), at.bits, value.bits, 0, memory_flags(v));
        return;
    }
    case LLVMGetElementPtr:
        r = lower_gep(l, v);
        if (ref_is_none(r)) r = lower_opaque_ins(l, v);
        break;
    case LLVMFence:
        return;
    case LLVMAtomicRMW:
        r = lower_rmw(l, v);
        break;
    case LLVMAtomicCmpXchg:
        r = lower_cmpxchg(l, v);
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        r = lower_cast(l, v, opcode);
        break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        if (opcode == LLVMFreeze && LLVMIsUndef(LLVMGetOperand(v, 0)))
            r = lower_emit_calc(l, CALC_ANY, mtype(MT_VOID, 0), lower_mtype_of(l, v), NULL, 0);
        else if (lower_mtype_of(l, v).bits == lower_mtype_of(l, LLVMGetOperand(v, 0)).bits)
            r = lower_value(l, LLVMGetOperand(v, 0));
        else
            r = lower_opaque_ins(l, v);
        break;
    case LLVMICmp:
        r = lower_compare(l, v);
        break;
    case LLVMSelect:
        if (mtype_class(lower_mtype_of(l, LLVMGetOperand(v, 0))) == MT_INT) {
            Ref a = lower_value(l, LLVMGetOperand(v, 0)), b = lower_value(l, LLVMGetOperand(v, 1)),
                c = lower_value(l, LLVMGetOperand(v, 2));
            r = lower_emit(l, OP_SELECT, lower_mtype_of(l, v), a.bits, b.bits, c.bits, 0);
        } else {
            r = lower_opaque_ins(l, v);
        }
        break;
    case LLVMPHI: {
        r = lower_emit(l, OP_PHI, lower_mtype_of(l, v), 0, 0, 0, 0);
        PendingPhi p = {.ins = ref_index(r), .phi = v};
        vec_push(&l->phis, p);
        break;
    }
    case LLVMVAArg: {
        Ref list = lower_value(l, LLVMGetOperand(v, 0));
        r = lower_emit(l, OP_VA_ARG, lower_mtype_of(l, v), list.bits, 0, 0, 0);
        break;
    }
    case LLVMExtractValue:
        r = lower_part(l, lower_value(l, LLVMGetOperand(v, 0)), part_offset(l, v),
                       lower_mtype_of(l, v));
        break;
    case LLVMInsertValue: {
        Ref aggregate = lower_value(l, LLVMGetOperand(v, 0)),
            value = lower_value(l, LLVMGetOperand(v, 1));
        r = lower_set_part(l, aggregate, value, part_offset(l, v), lower_mtype_of(l, v));
        break;
    }
    case LLVMLandingPad:
        r = lower_landing(l, v);
        break;
    default:
        r = arithmetic(opcode) != OP_NOP ? lower_binary(l, v, opcode) : lower_opaque_ins(l, v);
    }
    define(l, v, r);
}

// --- blocks

typedef struct {
    LLVMBasicBlockRef block;
    uint32_t next; // successors still to be looked at, counted down
} Visit;

typedef VEC(LLVMBasicBlockRef) BlockList;

// Reverse post order. The last successor is visited first, so that the block of a true branch
// comes before that of the false one, as in the source.
static void order_blocks(Lower *l, LLVMValueRef fn, BlockList *order)
{
    VEC(Visit) stack = {0};
    BlockList post = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
    map_set(&l->blocks, (uintptr_t)entry, 0);
    Visit first = {entry, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(entry))};
    vec_push(&stack, first);
    while (stack.len) {
        Visit *top = &vec_last(&stack);
        if (top->next == 0) {
            vec_push(&post, top->block);
            stack.len--;
            continue;
        }
        LLVMValueRef t = LLVMGetBasicBlockTerminator(top->block);
        LLVMBasicBlockRef to = LLVMGetSuccessor(t, --top->next);
        bool fresh;
        map_at(&l->blocks, (uintptr_t)to, 0, &fresh);
        if (!fresh) continue;
        Visit visit = {to, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(to))};
        vec_push(&stack, visit);
    }
    for (uint32_t i = post.len; i-- > 0;) {
        map_set(&l->blocks, (uintptr_t)post.at[i], order->len);
        vec_push(order, post.at[i]);
    }
    vec_free(&stack);
    vec_free(&post);
}

// A map that one huge function made large would be cleared at that size for each small one.
void lower_map_reset(Map *m)
{
    if (m->slot_count > 4096)
        map_free(m);
    else if (m->len)
        map_clear(m);
}

static void begin(Lower *l, LLVMValueRef fn, uint32_t func)
{
    Unit *u = l->u;
    l->fn = fn;
    l->func = func;
    l->first_ins = u->ins.len;
    l->first_extra = u->extra.len;
    l->first_local = u->locals.len;
    l->first_var = u->vars.len;
    lower_map_reset(&l->values);
    lower_map_reset(&l->blocks);
    lower_map_reset(&l->vars);
    lower_map_reset(&l->scopes);
    lower_map_reset(&l->locs);
    lower_map_reset(&l->phi_code);
    lower_map_reset(&l->phi_consts);
    lower_map_reset(&l->ins_fields);
    vec_clear(&l->phis);
    vec_clear(&l->param_vars);
    vec_extend(&l->param_vars, u->funcs.at[func].param_count);
    vec_clear(&l->spills);
    vec_clear(&l->mark_vars);
    l->last_loc = l->store_loc = NULL;
    l->loc = (LocId){0};
    uint32_t i = 0;
    for (LLVMValueRef p = LLVMGetFirstParam(fn); p; p = LLVMGetNextParam(p))
        define(l, p, ref_param(i++));
}

static void keep_block_addresses(Lower *l, const BlockList *order)
{
    vec_each (i, order) {
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(order->at[i]));
        for (; use; use = LLVMGetNextUse(use))
            if (LLVMGetValueKind(LLVMGetUser(use)) == LLVMBlockAddressValueKind) break;
        if (use) map_set(&l->blocks_kept, (uintptr_t)order->at[i], i);
    }
}

void lower_body(Lower *l, LLVMValueRef fn, uint32_t func)
{
    Unit *u = l->u;
    BlockList order = {0};
    begin(l, fn, func);
    order_blocks(l, fn, &order);
    keep_block_addresses(l, &order);
    uint32_t first_block = u->blocks.len;
    vec_each (i, &order) {
        l->block = i;
        uint32_t start = u->ins.len;
        LLVMValueRef v = LLVMGetFirstInstruction(order.at[i]);
        for (; v && !l->why; v = LLVMGetNextInstruction(v)) lower_instruction(l, v);
        Block b = {.first = start - l->first_ins, .count = u->ins.len - start};
        vec_push(&u->blocks, b);
    }
    finish_phis(l);
    name_spilled(l);
    Func *f = func_of(l);
    f->first_block = first_block;
    f->block_count = order.len;
    f->first_ins = l->first_ins;
    f->ins_count = u->ins.len - l->first_ins;
    f->first_extra = l->first_extra;
    f->extra_count = u->extra.len - l->first_extra;
    f->first_local = l->first_local;
    f->local_count = u->locals.len - l->first_local;
    f->first_var = l->first_var;
    f->var_count = u->vars.len - l->first_var;
    vec_free(&order);
}
