// LLVM types and operands. A constant becomes a Ref where the unit has a constant for it; else
// (an address as an integer, an integer as a pointer, a small aggregate) instructions are emitted
// before its user.
#include "lower/lower_int.h"

// Whether LLVM can give the type a size in bytes; asking for a scalable or opaque one ends LLVM.
static bool has_size(LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMFunctionTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
    case LLVMScalableVectorTypeKind:
    case LLVMTargetExtTypeKind:
        return false;
    case LLVMStructTypeKind: {
        if (LLVMIsOpaqueStruct(t)) return false;
        uint32_t n = LLVMCountStructElementTypes(t);
        for (uint32_t i = 0; i < n; i++)
            if (!has_size(LLVMStructGetTypeAtIndex(t, i))) return false;
        return true;
    }
    case LLVMArrayTypeKind:
        return has_size(LLVMGetElementType(t));
    default:
        return true;
    }
}

const TypeInfo *lower_type(Lower *l, LLVMTypeRef t)
{
    bool fresh;
    uint64_t *at = map_at(&l->type_infos, (uintptr_t)t, l->infos.len, &fresh);
    if (!fresh) return &l->infos.at[*at];
    TypeInfo info = {.type = t};
    if (has_size(t)) info.size = LLVMABISizeOfType(l->layout, t);
    uint32_t bytes = info.size > MTYPE_SIZE_MAX ? 0 : (uint32_t)info.size;
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind:
        info.mtype = mtype(MT_VOID, 0);
        break;
    case LLVMIntegerTypeKind:
        info.mtype = mtype(MT_INT, LLVMGetIntTypeWidth(t));
        break;
    case LLVMPointerTypeKind:
        info.mtype = mtype(MT_PTR, l->u->pointer_bytes);
        break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind:
        info.mtype = mtype(MT_FLOAT, (uint32_t)LLVMStoreSizeOfType(l->layout, t));
        break;
    case LLVMVectorTypeKind:
    case LLVMX86_AMXTypeKind:
        info.mtype = mtype(MT_VEC, bytes);
        break;
    case LLVMScalableVectorTypeKind:
        info.mtype = mtype(MT_VEC, 0);
        break;
    default:
        info.mtype = mtype(MT_AGG, bytes);
    }
    vec_push(&l->infos, info);
    return &vec_last(&l->infos);
}

MType lower_mtype(Lower *l, LLVMTypeRef t)
{
    return lower_type(l, t)->mtype;
}

MType lower_mtype_of(Lower *l, LLVMValueRef v)
{
    return lower_mtype(l, LLVMTypeOf(v));
}

Ref lower_int(Lower *l, uint32_t bits, int64_t value)
{
    return unit_const_int(l->b, bits, value);
}

Ref lower_opaque(Lower *l, MType t)
{
    return unit_const(l->b,
                      (Const){.kind = CONST_OPAQUE, .type = t.bits, .value = ++l->opaque_count});
}

Ref lower_undef(Lower *l, MType t)
{
    return unit_const(l->b, (Const){.kind = CONST_UNDEF, .type = t.bits});
}

uint32_t lower_symbol(Lower *l, LLVMValueRef v, SymbolKind kind)
{
    uint64_t *at = map_get(&l->symbols, (uintptr_t)v);
    return at && *at >> 32 == kind ? (uint32_t)*at : 0;
}

// base + offset: a symbol's address, or a plain number when base is null. Both an integer and a
// pointer may be such.
typedef struct {
    LLVMValueRef base;
    int64_t offset;
} Affine;

static int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t wrap_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static bool int_value(LLVMValueRef v, int64_t *value)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    *value = LLVMConstIntGetSExtValue(v);
    // Constants are unique in LLVM: a wide one that fits 64 bits is the one made from them.
    return LLVMGetIntTypeWidth(t) <= 64 || LLVMConstInt(t, (uint64_t)*value, 1) == v;
}

static bool affine(Lower *l, LLVMValueRef v, Affine *out, uint32_t depth);

static bool affine_gep(Lower *l, LLVMValueRef v, Affine *out, uint32_t depth)
{
    if (!affine(l, LLVMGetOperand(v, 0), out, depth)) return false;
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    uint32_t n = (uint32_t)LLVMGetNumOperands(v);
    for (uint32_t i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(v, i);
        int64_t k;
        if (LLVMGetValueKind(index) != LLVMConstantIntValueKind || !int_value(index, &k))
            return false;
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            uint64_t at = LLVMOffsetOfElement(l->layout, t, (uint32_t)k);
            out->offset = wrap_add(out->offset, (int64_t)at);
            t = LLVMStructGetTypeAtIndex(t, (uint32_t)k);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        out->offset = wrap_add(out->offset, wrap_mul(k, (int64_t)lower_type(l, t)->size));
    }
    return true;
}

static bool affine(Lower *l, LLVMValueRef v, Affine *out, uint32_t depth)
{
    if (depth > 64) return false;
    *out = (Affine){0};
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind) return false;
    switch (LLVMGetValueKind(v)) {
    case LLVMConstantIntValueKind:
        return int_value(v, &out->offset);
    case LLVMConstantPointerNullValueKind:
        return true;
    case LLVMFunctionValueKind:
    case LLVMGlobalVariableValueKind:
    case LLVMGlobalIFuncValueKind:
        out->base = v;
        return true;
    case LLVMGlobalAliasValueKind:
        // An alias of the middle of an object is not kept as a symbol of its own.
        if (map_get(&l->symbols, (uintptr_t)v)) {
            out->base = v;
            return true;
        }
        return affine(l, LLVMAliasGetAliasee(v), out, depth + 1);
    case LLVMConstantExprValueKind:
        break;
    default:
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(v, 0);
    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
        return affine_gep(l, v, out, depth + 1);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return affine(l, a, out, depth + 1);
    case LLVMPtrToInt:
        return affine(l, a, out, depth + 1) &&
               (!out->base || LLVMGetIntTypeWidth(LLVMTypeOf(v)) == l->pointer_bits);
    case LLVMIntToPtr:
        return affine(l, a, out, depth + 1) &&
               (!out->base || LLVMGetIntTypeWidth(LLVMTypeOf(a)) == l->pointer_bits);
    case LLVMTrunc:
        return affine(l, a, out, depth + 1) && !out->base;
    case LLVMAdd: {
        Affine other;
        if (!affine(l, a, out, depth + 1)) return false;
        if (!affine(l, LLVMGetOperand(v, 1), &other, depth + 1)) return false;
        if (out->base && other.base) return false;
        if (other.base) out->base = other.base;
        out->offset = wrap_add(out->offset, other.offset);
        return true;
    }
    case LLVMSub: {
        Affine other;
        if (!affine(l, a, out, depth + 1)) return false;
        if (!affine(l, LLVMGetOperand(v, 1), &other, depth + 1)) return false;
        if (other.base && other.base != out->base) return false;
        if (other.base) out->base = NULL;
        out->offset = wrap_add(out->offset, wrap_mul(other.offset, -1));
        return true;
    }
    default:
        return false;
    }
}

LLVMValueRef lower_base_symbol(Lower *l, LLVMValueRef v, int64_t *offset)
{
    Affine at;
    if (!affine(l, v, &at, 0)) return NULL;
    *offset = at.offset;
    return at.base;
}

// The address base + offset as a constant; none when the unit cannot say it.
static Ref address(Lower *l, Affine at, bool taken)
{
    uint32_t ptr = mtype(MT_PTR, l->u->pointer_bytes).bits;
    uint32_t id = lower_symbol(l, at.base, SYMBOL_GLOBAL);
    if (id)
        return unit_const(
            l->b, (Const){.kind = CONST_GLOBAL, .type = ptr, .target = id, .value = at.offset});
    id = lower_symbol(l, at.base, SYMBOL_FUNC);
    if (!id) return ref_none();
    if (taken) l->u->funcs.at[id].flags |= FUNC_ADDRESS_TAKEN;
    if (at.offset) return ref_none();
    return unit_const(l->b, (Const){.kind = CONST_FUNC, .type = ptr, .target = id});
}

enum { AGGREGATE_PARTS_MAX = 8 };

// Functions whose address hides inside a constant that we do not model.
static void take_addresses(Lower *l, LLVMValueRef v, uint32_t depth)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind == LLVMFunctionValueKind || kind == LLVMGlobalAliasValueKind) {
        uint32_t id = lower_symbol(l, v, SYMBOL_FUNC);
        if (id) l->u->funcs.at[id].flags |= FUNC_ADDRESS_TAKEN;
        return;
    }
    if (depth > 16 || (kind != LLVMConstantExprValueKind && kind != LLVMConstantArrayValueKind &&
                       kind != LLVMConstantStructValueKind && kind != LLVMConstantVectorValueKind))
        return;
    int n = LLVMGetNumOperands(v);
    for (int i = 0; i < n; i++) take_addresses(l, LLVMGetOperand(v, (uint32_t)i), depth + 1);
}

static bool is_small_aggregate(LLVMValueRef v)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind == LLVMConstantStructValueKind || kind == LLVMConstantArrayValueKind)
        return LLVMGetNumOperands(v) <= AGGREGATE_PARTS_MAX;
    return kind == LLVMConstantDataArrayValueKind &&
           LLVMGetArrayLength2(LLVMTypeOf(v)) <= AGGREGATE_PARTS_MAX;
}

static Ref block_address(Lower *l, LLVMValueRef v, MType t)
{
    uint64_t *block = map_get(&l->blocks_kept, (uintptr_t)LLVMGetBlockAddressBasicBlock(v));
    uint32_t func = lower_symbol(l, LLVMGetBlockAddressFunction(v), SYMBOL_FUNC);
    if (!block || !func) return lower_opaque(l, t);
    return unit_const(
        l->b,
        (Const){.kind = CONST_BLOCK, .type = t.bits, .target = func, .value = (int64_t)*block});
}

// A constant that is too wide for a word, as bytes; none when it holds an address.
static Ref const_bytes(Lower *l, LLVMValueRef v, MType t)
{
    enum { MOST = 4096 };
    uint8_t bytes[MOST] = {0};
    uint32_t n = mtype_bytes(t);
    if (!n || n > MOST || lower_type(l, LLVMTypeOf(v))->size > MOST) return ref_none();
    if (!lower_const_bytes(l, v, bytes)) return ref_none();
    return unit_const_bytes(l->b, t, bytes, n);
}

// A constant's Ref, or none when it needs instructions.
static Ref make_const(Lower *l, LLVMValueRef v)
{
    MType t = lower_mtype_of(l, v);
    MClass class = mtype_class(t);
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (class == MT_VOID) return ref_none();
    if (kind == LLVMUndefValueValueKind || kind == LLVMPoisonValueValueKind)
        return lower_undef(l, t);
    if (class == MT_INT || class == MT_PTR) {
        Affine at;
        if (kind == LLVMBlockAddressValueKind) return block_address(l, v, t);
        if (!affine(l, v, &at, 0)) {
            Ref wide = class == MT_INT ? const_bytes(l, v, t) : ref_none();
            if (!ref_is_none(wide)) return wide;
            take_addresses(l, v, 0);
            return lower_opaque(l, t);
        }
        if (!at.base && class == MT_INT) return lower_int(l, mtype_size(t), at.offset);
        if (!at.base) return at.offset ? ref_none() : unit_const_null(l->b);
        Ref r = address(l, at, true);
        if (ref_is_none(r)) return lower_opaque(l, t);
        return class == MT_PTR ? r : ref_none();
    }
    if (LLVMIsNull(v)) return unit_const(l->b, (Const){.kind = CONST_ZERO, .type = t.bits});
    if (class == MT_FLOAT && kind == LLVMConstantFPValueKind && mtype_size(t) <= 8) {
        LLVMBool loses;
        double d = LLVMConstRealGetDouble(v, &loses);
        int64_t bits = 0;
        float f = (float)d;
        if (mtype_size(t) == 4) {
            memcpy(&bits, &f, sizeof f);
        } else {
            memcpy(&bits, &d, sizeof d);
        }
        bool plain = mtype_size(t) == 4 || mtype_size(t) == 8;
        return unit_const(l->b, (Const){.kind = plain ? CONST_FLOAT : CONST_OPAQUE,
                                        .type = t.bits,
                                        .value = bits});
    }
    if (class == MT_AGG && is_small_aggregate(v)) return ref_none();
    Ref bytes = const_bytes(l, v, t);
    if (!ref_is_none(bytes)) return bytes;
    take_addresses(l, v, 0);
    return lower_opaque(l, t);
}

static Ref cached_const(Lower *l, LLVMValueRef v)
{
    uint64_t *at = map_get(&l->consts, (uintptr_t)v);
    if (at) return (Ref){(uint32_t)*at};
    Ref r = make_const(l, v);
    map_set(&l->consts, (uintptr_t)v, r.bits);
    return r;
}

// Instructions for a constant that the unit has no constant for.
static Ref const_code(Lower *l, LLVMValueRef v, uint32_t depth)
{
    Ref r = cached_const(l, v);
    if (!ref_is_none(r)) return r;
    MType t = lower_mtype_of(l, v);
    Affine at;
    switch (mtype_class(t)) {
    case MT_INT:
        if (!affine(l, v, &at, 0)) break;
        return lower_emit(l, OP_PTRTOINT, t, address(l, at, true).bits, 0, 0, 0);
    case MT_PTR:
        if (!affine(l, v, &at, 0)) break;
        return lower_emit(l, OP_INTTOPTR, t, lower_int(l, l->pointer_bits, at.offset).bits, 0, 0,
                          0);
    case MT_AGG: {
        LLVMTypeRef type = LLVMTypeOf(v);
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        uint32_t n =
            is_struct ? LLVMCountStructElementTypes(type) : (uint32_t)LLVMGetArrayLength2(type);
        if (depth > 4) break;
        r = lower_undef(l, t);
        for (uint32_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(v, i);
            uint64_t offset = is_struct ? LLVMOffsetOfElement(l->layout, type, i)
                                        : i * lower_type(l, LLVMGetElementType(type))->size;
            r = lower_set_part(l, r, const_code(l, part, depth + 1), offset, t);
        }
        return r;
    }
    default:
        break;
    }
    take_addresses(l, v, 0);
    return lower_opaque(l, t);
}

static bool is_defined_in_function(LLVMValueKind kind)
{
    return kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind;
}

Ref lower_value(Lower *l, LLVMValueRef v)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (is_defined_in_function(kind)) {
        uint64_t *at = map_get(&l->values, (uintptr_t)v);
        // Only code that no path reaches uses a value before its definition.
        return at && *at ? (Ref){(uint32_t)*at} : lower_undef(l, lower_mtype_of(l, v));
    }
    if (kind == LLVMBasicBlockValueKind || kind == LLVMMetadataAsValueValueKind ||
        kind == LLVMInlineAsmValueKind)
        return lower_opaque(l, mtype(MT_PTR, l->u->pointer_bytes));
    return const_code(l, v, 0);
}

Ref lower_value_quiet(Lower *l, LLVMValueRef v)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (is_defined_in_function(kind)) {
        uint64_t *at = map_get(&l->values, (uintptr_t)v);
        return at ? (Ref){(uint32_t)*at} : ref_none();
    }
    if (kind == LLVMUndefValueValueKind || kind == LLVMPoisonValueValueKind) return ref_none();
    Affine at;
    if (!affine(l, v, &at, 0)) return ref_none();
    if (at.base)
        return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? address(l, at, false)
                                                                     : ref_none();
    MType t = lower_mtype_of(l, v);
    if (mtype_class(t) == MT_INT) return lower_int(l, mtype_size(t), at.offset);
    return at.offset ? ref_none() : unit_const_null(l->b);
}

Ref lower_callee(Lower *l, LLVMValueRef v)
{
    int64_t offset;
    if (!is_defined_in_function(LLVMGetValueKind(v))) {
        LLVMValueRef base = lower_base_symbol(l, v, &offset);
        if (base && !offset && lower_symbol(l, base, SYMBOL_FUNC))
            return address(l, (Affine){base, 0}, false);
    }
    return lower_value(l, v);
}

bool lower_needs_code(Lower *l, LLVMValueRef v)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (is_defined_in_function(kind)) return false;
    return ref_is_none(cached_const(l, v));
}
