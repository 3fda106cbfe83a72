// Calls: functions, inline assembly, LLVM's intrinsics.
#include "lower/lower_int.h"

typedef enum {
    ACT_OTHER,   // not in the table
    ACT_DROP,    // nothing
    ACT_FIRST,   // the first argument
    ACT_FALSE,   // zero
    ACT_UNKNOWN, // some value that has nothing to do with the arguments
    ACT_DECLARE, // debug information
    ACT_VALUE,
    ACT_COPY,
    ACT_FILL,
    ACT_LIFE_START,
    ACT_LIFE_END,
    ACT_SAME_OBJECT, // the first argument moved by an unknown distance
    ACT_OBJECT_SIZE,
    ACT_SMIN,
    ACT_SMAX,
    ACT_UMIN,
    ACT_UMAX,
    ACT_ABS,
    ACT_ADD_OVERFLOW,
    ACT_SUB_OVERFLOW,
    ACT_MUL_OVERFLOW,
    ACT_VA_START,
    ACT_VA_END,
    ACT_VA_COPY,
    ACT_SETJMP,
    ACT_TYPEID, // some value; the type info stands by for those who run the unit
} Action;

static const struct {
    const char *name;
    Action action;
    Calc calc;
} table[] = {
#define INTRINSIC(name, action, calc) {name, ACT_##action, CALC_##calc},
#include "lower/intrinsics.def"
#undef INTRINSIC
};

void lower_intrinsics_init(Lower *l)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint32_t id = LLVMLookupIntrinsicID(table[i].name, strlen(table[i].name));
        if (id) map_set(&l->intrinsics, id, map_pair(table[i].calc, table[i].action));
    }
}

static Ref arg(Lower *l, LLVMValueRef call, uint32_t i)
{
    return lower_value(l, LLVMGetOperand(call, i));
}

static bool is_true(LLVMValueRef v)
{
    return LLVMGetValueKind(v) == LLVMConstantIntValueKind && LLVMConstIntGetZExtValue(v) != 0;
}

static bool is_local(Lower *l, Ref r)
{
    return ref_is_ins(r) && l->u->ins.at[l->first_ins + ref_index(r)].op == OP_ALLOCA;
}

static Ref lower_extreme(Lower *l, LLVMValueRef call, Op op, bool larger)
{
    MType t = lower_mtype_of(l, call);
    Ref a = arg(l, call, 0), b = arg(l, call, 1);
    Ref less = lower_emit(l, op, mtype(MT_INT, 1), a.bits, b.bits, 0, 0);
    return larger ? lower_emit(l, OP_SELECT, t, less.bits, b.bits, a.bits, 0)
                  : lower_emit(l, OP_SELECT, t, less.bits, a.bits, b.bits, 0);
}

static Ref lower_abs(Lower *l, LLVMValueRef call)
{
    MType t = lower_mtype_of(l, call);
    Ref a = arg(l, call, 0), zero = lower_int(l, mtype_size(t), 0);
    Ref minus = lower_emit(l, OP_SUB, t, zero.bits, a.bits, 0, 0);
    Ref less = lower_emit(l, OP_SLT, mtype(MT_INT, 1), a.bits, zero.bits, 0, 0);
    return lower_emit(l, OP_SELECT, t, less.bits, minus.bits, a.bits, 0);
}

// Result and flag. The flag may be either: errs towards following a branch that cannot be taken.
static Ref lower_overflow(Lower *l, LLVMValueRef call, Op op, Calc calc)
{
    LLVMTypeRef pair = LLVMTypeOf(call);
    MType both = lower_mtype(l, pair), t = lower_mtype(l, LLVMStructGetTypeAtIndex(pair, 0));
    Ref args[2] = {arg(l, call, 0), arg(l, call, 1)};
    Ref value = lower_emit(l, op, t, args[0].bits, args[1].bits, 0, 0);
    Ref flag = lower_emit_calc(l, calc, mtype(MT_VOID, 0), mtype(MT_INT, 1), args, 2);
    Ref r = lower_set_part(l, lower_undef(l, both), value, 0, both);
    return lower_set_part(l, r, flag, LLVMOffsetOfElement(l->layout, pair, 1), both);
}

typedef VEC(Ref) Refs;

static void collect_args(Lower *l, LLVMValueRef call, Refs *into)
{
    uint32_t n = LLVMGetNumArgOperands(call);
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        if (LLVMGetValueKind(v) == LLVMMetadataAsValueValueKind) continue;
        vec_push(into, lower_value(l, v));
    }
}

static Ref lower_by_args(Lower *l, LLVMValueRef call, Op op, Calc calc, uint8_t flags)
{
    Refs args = {0};
    collect_args(l, call, &args);
    Ref r = lower_emit_list(l, op, lower_mtype_of(l, call), (Ref){calc}, args.at, args.len, flags);
    vec_free(&args);
    return r;
}

static bool holds_pointer(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
        return holds_pointer(LLVMGetElementType(t));
    return kind == LLVMPointerTypeKind;
}

// Whether we compute with such values: integers and the floats that their size tells.
static bool is_computed(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind ||
           kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind;
}

static Ref lower_other(Lower *l, LLVMValueRef call, Calc calc)
{
    uint32_t n = LLVMGetNumArgOperands(call);
    for (uint32_t i = 0; i < n; i++)
        if (holds_pointer(LLVMTypeOf(LLVMGetOperand(call, i))))
            return lower_by_args(l, call, OP_ASM, CALC_NONE, 0);
    if (mtype_class(lower_mtype_of(l, call)) == MT_VOID) return ref_none();
    if (!n || !is_computed(LLVMTypeOf(call)) || !is_computed(LLVMTypeOf(LLVMGetOperand(call, 0))))
        calc = CALC_NONE;
    return lower_by_args(l, call, OP_OPAQUE, calc, 0);
}

static Ref lower_intrinsic(Lower *l, LLVMValueRef call, Action action, Calc calc)
{
    MType t = lower_mtype_of(l, call), none = mtype(MT_VOID, 0);
    MClass class = mtype_class(t);
    switch (action) {
    case ACT_OTHER:
        return lower_other(l, call, calc);
    case ACT_DROP:
        return ref_none();
    case ACT_FIRST:
        return arg(l, call, 0);
    case ACT_FALSE:
        return class == MT_INT ? lower_int(l, mtype_size(t), 0) : lower_opaque(l, t);
    case ACT_UNKNOWN:
        return lower_emit_calc(l, calc, none, t, NULL, 0);
    case ACT_TYPEID: {
        Ref info = arg(l, call, 0);
        return lower_emit_calc(l, calc, none, t, &info, 1);
    }
    case ACT_DECLARE:
    case ACT_VALUE:
        lower_debug_call(l, call, action == ACT_DECLARE);
        return ref_none();
    case ACT_COPY:
    case ACT_FILL: {
        Ref to = arg(l, call, 0), what = arg(l, call, 1), n = arg(l, call, 2);
        uint8_t flags = is_true(LLVMGetOperand(call, 3)) ? INS_VOLATILE : 0;
        lower_emit(l, action == ACT_COPY ? OP_COPY : OP_FILL, none, to.bits, what.bits, n.bits,
                   flags);
        return ref_none();
    }
    case ACT_LIFE_START:
    case ACT_LIFE_END: {
        Ref at = arg(l, call, 1);
        if (is_local(l, at))
            lower_emit(l, action == ACT_LIFE_START ? OP_LIFE_START : OP_LIFE_END, none, at.bits, 0,
                       0, 0);
        return ref_none();
    }
    case ACT_SAME_OBJECT: {
        Ref base = arg(l, call, 0);
        if (class != MT_PTR) return lower_other(l, call, CALC_NONE);
        Ref args[2] = {base, arg(l, call, 1)};
        Ref by = lower_emit_calc(l, calc, none, mtype(MT_INT, l->pointer_bits), args, 2);
        return lower_emit(l, OP_INDEX, t, base.bits, by.bits, 1, 0);
    }
    case ACT_OBJECT_SIZE: // unknown: all bits set, or none when the smallest size is asked for
        return lower_int(l, mtype_size(t), is_true(LLVMGetOperand(call, 1)) ? 0 : -1);
    case ACT_SMIN:
    case ACT_SMAX:
        if (class != MT_INT) return lower_other(l, call, CALC_NONE);
        return lower_extreme(l, call, OP_SLT, action == ACT_SMAX);
    case ACT_UMIN:
    case ACT_UMAX:
        if (class != MT_INT) return lower_other(l, call, CALC_NONE);
        return lower_extreme(l, call, OP_ULT, action == ACT_UMAX);
    case ACT_ABS:
        return class == MT_INT ? lower_abs(l, call) : lower_other(l, call, CALC_NONE);
    case ACT_ADD_OVERFLOW:
    case ACT_SUB_OVERFLOW:
    case ACT_MUL_OVERFLOW:
        if (mtype_class(lower_mtype_of(l, LLVMGetOperand(call, 0))) != MT_INT)
            return lower_other(l, call, CALC_NONE);
        return lower_overflow(l, call,
                              action == ACT_ADD_OVERFLOW   ? OP_ADD
                              : action == ACT_SUB_OVERFLOW ? OP_SUB
                                                           : OP_MUL,
                              calc);
    case ACT_VA_START:
        lower_emit(l, OP_VA_START, none, arg(l, call, 0).bits, 0, 0, 0);
        return ref_none();
    case ACT_VA_END:
        lower_emit(l, OP_VA_END, none, arg(l, call, 0).bits, 0, 0, 0);
        return ref_none();
    case ACT_VA_COPY: {
        Ref to = arg(l, call, 0), from = arg(l, call, 1);
        lower_emit(l, OP_VA_COPY, none, to.bits, from.bits, 0, 0);
        return ref_none();
    }
    case ACT_SETJMP:
        return lower_by_args(l, call, OP_ASM, CALC_NONE, INS_RETURNS_TWICE);
    }
    die("lower_intrinsic: action %d", (int)action);
}

static uint8_t call_flags(Lower *l, LLVMValueRef call, LLVMOpcode opcode, uint32_t callee)
{
    uint8_t flags = 0;
    uint16_t of = callee ? l->u->funcs.at[callee].flags : 0;
    LLVMAttributeIndex at = LLVMAttributeFunctionIndex;
    if (of & FUNC_NORETURN || LLVMGetCallSiteEnumAttribute(call, at, l->attrs.noreturn))
        flags |= INS_NORETURN;
    if (of & FUNC_RETURNS_TWICE || LLVMGetCallSiteEnumAttribute(call, at, l->attrs.returns_twice))
        flags |= INS_RETURNS_TWICE;
    if (opcode == LLVMCall && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
        flags |= INS_MUSTTAIL;
    return flags;
}

static uint32_t block_of(Lower *l, LLVMBasicBlockRef b)
{
    return (uint32_t)*map_get(&l->blocks, (uintptr_t)b);
}

// The end of a block whose invoke became something else: both ways stay open.
static void finish_block(Lower *l, LLVMValueRef call, LLVMOpcode opcode)
{
    MType none = mtype(MT_VOID, 0);
    if (opcode == LLVMInvoke) {
        uint32_t normal = block_of(l, LLVMGetNormalDest(call)),
                 unwind = block_of(l, LLVMGetUnwindDest(call));
        Ref any = lower_opaque(l, mtype(MT_INT, 1));
        lower_emit(l, OP_BRANCH, none, any.bits, normal, unwind, 0);
    } else if (opcode == LLVMCallBr) {
        uint32_t n = LLVMGetNumSuccessors(call), at = l->u->extra.len - l->first_extra;
        for (uint32_t i = 0; i < n; i++)
            vec_push(&l->u->extra, block_of(l, LLVMGetSuccessor(call, i)));
        lower_emit(l, OP_GOTO, none, 0, at, n, 0);
    }
}

// A struct among the variable arguments is handed over as a value: nothing at the callee would
// say that the pointer stands for a copy.
static void pass_structs(Lower *l, LLVMValueRef call, Refs *args)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    if (!LLVMIsFunctionVarArg(type)) return;
    for (uint32_t i = LLVMCountParamTypes(type); i < args->len; i++) {
        LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, l->attrs.byval);
        if (!byval) continue;
        uint64_t size = lower_type(l, LLVMGetTypeAttributeValue(byval))->size;
        MType t = mtype(MT_AGG, size > MTYPE_SIZE_MAX ? 0 : (uint32_t)size);
        args->at[i] = lower_emit(l, OP_LOAD, t, args->at[i].bits, 0, 0, 0);
    }
}

void lower_call(Lower *l, LLVMValueRef call, LLVMOpcode opcode)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMValueKind kind = LLVMGetValueKind(callee);
    MType t = lower_mtype_of(l, call);
    Ref r = ref_none();
    uint32_t id = kind == LLVMFunctionValueKind ? LLVMGetIntrinsicID(callee) : 0;
    if (id) {
        uint64_t *action = map_get(&l->intrinsics, id);
        r = lower_intrinsic(l, call, action ? (Action)(uint32_t)*action : ACT_OTHER,
                            action ? (Calc)(*action >> 32) : CALC_NONE);
        if (ref_is_none(r) && mtype_class(t) != MT_VOID) r = lower_opaque(l, t);
        finish_block(l, call, opcode);
    } else if (kind == LLVMInlineAsmValueKind) {
        uint8_t flags = call_flags(l, call, opcode, 0);
        r = lower_by_args(l, call, OP_ASM, CALC_NONE, flags & (INS_NORETURN | INS_RETURNS_TWICE));
        finish_block(l, call, opcode);
    } else {
        Refs args = {0};
        collect_args(l, call, &args);
        pass_structs(l, call, &args);
        uint32_t func = lower_symbol(l, callee, SYMBOL_FUNC);
        uint8_t flags = call_flags(l, call, opcode, func);
        Ref to = lower_callee(l, callee);
        if (opcode == LLVMInvoke) {
            uint32_t at = l->u->extra.len - l->first_extra;
            for (uint32_t i = 0; i < args.len; i++) vec_push(&l->u->extra, args.at[i].bits);
            vec_push(&l->u->extra, block_of(l, LLVMGetNormalDest(call)));
            vec_push(&l->u->extra, block_of(l, LLVMGetUnwindDest(call)));
            r = lower_emit(l, OP_INVOKE, t, to.bits, at, args.len, flags);
        } else {
            r = lower_emit_list(l, OP_CALL, t, to, args.at, args.len, flags);
            finish_block(l, call, opcode);
        }
        vec_free(&args);
    }
    if (mtype_class(t) != MT_VOID) map_set(&l->values, (uintptr_t)call, r.bits);
}
