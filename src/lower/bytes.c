// Constants as the bytes that they are in memory: what later stages compute with are scalars, but
// who runs a program needs all of it. llvm-c tells integers of up to 64 bits; wider ones and floats
// are taken apart by LLVM's own folding of constants.
#include "lower/lower_int.h"

const uint8_t *lower_raw_numbers(LLVMValueRef v, size_t *len)
{
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind != LLVMConstantDataArrayValueKind && kind != LLVMConstantDataVectorValueKind)
        return NULL;
    // Of any array of numbers LLVM 19 hands out its raw bytes here, in the host's order.
    return (const uint8_t *)LLVMGetAsString(v, len);
}

static LLVMValueRef int_of_width(Lower *l, LLVMValueRef v, uint32_t bits)
{
    return LLVMConstBitCast(v, LLVMIntTypeInContext(l->context, bits));
}

static bool put_int(Lower *l, LLVMValueRef v, uint8_t *into)
{
    if (LLVMGetValueKind(v) != LLVMConstantIntValueKind) return false;
    uint32_t bits = LLVMGetIntTypeWidth(LLVMTypeOf(v)), bytes = (bits + 7) / 8;
    if (bits <= 64) {
        uint64_t n = LLVMConstIntGetZExtValue(v);
        memcpy(into, &n, bytes);
        return true;
    }
    if (!l->folder) l->folder = LLVMCreateBuilderInContext(l->context);
    LLVMTypeRef word = LLVMIntTypeInContext(l->context, 64), type = LLVMTypeOf(v);
    for (uint32_t at = 0; at < bytes; at += 8) {
        LLVMValueRef part = v;
        if (at) part = LLVMBuildLShr(l->folder, v, LLVMConstInt(type, at * 8, 0), "");
        part = LLVMBuildTrunc(l->folder, part, word, "");
        if (LLVMGetValueKind(part) != LLVMConstantIntValueKind) return false;
        uint64_t n = LLVMConstIntGetZExtValue(part);
        memcpy(into + at, &n, bytes - at < 8 ? bytes - at : 8);
    }
    return true;
}

static bool put_bytes(Lower *l, LLVMValueRef v, uint8_t *into, uint32_t depth)
{
    if (depth > 32) return false;
    if (LLVMIsNull(v) || LLVMIsUndef(v)) return true;
    size_t len;
    const uint8_t *raw = lower_raw_numbers(v, &len);
    if (raw) {
        memcpy(into, raw, len);
        return true;
    }
    LLVMTypeRef type = LLVMTypeOf(v);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return put_int(l, v, into);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
        if (LLVMGetValueKind(v) != LLVMConstantFPValueKind) return false;
        return put_int(
            l, int_of_width(l, v, (uint32_t)(LLVMStoreSizeOfType(l->layout, type) * 8)), into);
    case LLVMStructTypeKind: {
        uint32_t n = LLVMCountStructElementTypes(type);
        for (uint32_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(v, i);
            if (!part ||
                !put_bytes(l, part, into + LLVMOffsetOfElement(l->layout, type, i), depth + 1))
                return false;
        }
        return true;
    }
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
        bool array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
        uint64_t n = array ? LLVMGetArrayLength2(type) : LLVMGetVectorSize(type);
        LLVMTypeRef each = LLVMGetElementType(type);
        if (!array && LLVMSizeOfTypeInBits(l->layout, each) % 8) return false; // packed bits
        uint64_t size = array ? lower_type(l, each)->size : LLVMStoreSizeOfType(l->layout, each);
        for (uint64_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(v, (uint32_t)i);
            if (!part || !put_bytes(l, part, into + i * size, depth + 1)) return false;
        }
        return true;
    }
    default:
        return false;
    }
}

bool lower_const_bytes(Lower *l, LLVMValueRef v, uint8_t *into)
{
    return put_bytes(l, v, into, 0);
}
