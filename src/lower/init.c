// What a global holds before the program runs: scalars at byte offsets.
#include "lower/lower_int.h"

// Numbers are left out of initialisers with more of them than this (tables of characters, unicode
// properties): no later stage asks for them, pointers it does. Numbers that are beside pointers
// say what kind of thing those are, so more of them are kept there.
enum { INTEGERS_MAX = 256, BESIDE_POINTERS_MAX = 4096, TEXT_MAX = 200 };

typedef struct {
    Lower *l;
    Global *g;
    bool numbers;      // keep them as scalars
    uint32_t global;   // UGlobalId
    uint64_t run_end;  // where the last run of bytes ends, in the global
} InitWalk;

// Zeros between two pieces of data that a run goes on over.
enum { RUN_GAP = 32 };

static void add_piece(InitWalk *w, uint64_t offset, const uint8_t *bytes, uint64_t count)
{
    Unit *u = w->l->u;
    if (!count || count > UINT32_MAX / 4 || u->bytes.len > UINT32_MAX / 4) return;
    DataRun *last = u->runs.len ? &vec_last(&u->runs) : NULL;
    bool joins = last && last->global == w->global && offset >= w->run_end &&
                 offset - w->run_end <= RUN_GAP && last->first + last->count == u->bytes.len;
    if (joins) {
        uint32_t gap = (uint32_t)(offset - w->run_end);
        vec_extend(&u->bytes, gap);
        last->count += gap + (uint32_t)count;
    } else {
        DataRun run = {.offset = offset,
                   .global = w->global,
                   .first = u->bytes.len,
                   .count = (uint32_t)count};
        vec_push(&u->runs, run);
    }
    vec_append(&u->bytes, bytes, (uint32_t)count);
    w->run_end = offset + count;
}

// Bytes of the initial content that no Init tells, without long rows of zeros.
static void add_bytes(InitWalk *w, uint64_t offset, const uint8_t *bytes, uint64_t count)
{
    for (uint64_t at = 0; at < count;) {
        while (at < count && !bytes[at]) at++;
        uint64_t end = at, last = at; // after the last byte that is not zero
        while (end < count && end - last <= RUN_GAP)
            if (bytes[end++]) last = end;
        add_piece(w, offset + at, bytes + at, last - at);
        at = end;
    }
}

static bool is_number_array(LLVMValueKind kind)
{
    return kind == LLVMConstantDataArrayValueKind || kind == LLVMConstantDataVectorValueKind;
}

typedef struct {
    uint64_t numbers, pointers;
} Scalars;

// Counts scalars that are not zero, up to a little above the limit.
static void count_scalars(LLVMValueRef v, Scalars *count)
{
    if (count->numbers > BESIDE_POINTERS_MAX || LLVMIsNull(v)) return;
    LLVMValueKind kind = LLVMGetValueKind(v);
    if (kind == LLVMConstantDataArrayValueKind) {
        count->numbers += LLVMGetArrayLength2(LLVMTypeOf(v));
    } else if (kind == LLVMConstantStructValueKind || kind == LLVMConstantArrayValueKind) {
        int n = LLVMGetNumOperands(v);
        for (int i = 0; i < n && count->numbers <= BESIDE_POINTERS_MAX; i++)
            count_scalars(LLVMGetOperand(v, (uint32_t)i), count);
    } else if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) {
        count->pointers++;
    } else {
        count->numbers++;
    }
}

static bool keeps_numbers(LLVMValueRef init)
{
    Scalars n = {0};
    count_scalars(init, &n);
    return n.numbers <= INTEGERS_MAX ||
           (n.numbers <= BESIDE_POINTERS_MAX && n.numbers <= 2 * n.pointers);
}

static void add_init(InitWalk *w, uint64_t offset, Ref value, MType t)
{
    Init i = {.offset = offset, .value = value.bits, .type = t.bits};
    vec_push(&w->l->u->inits, i);
}

static void walk(InitWalk *w, LLVMValueRef v, uint64_t offset)
{
    Lower *l = w->l;
    if (LLVMIsNull(v) || LLVMIsUndef(v)) return;
    LLVMValueKind kind = LLVMGetValueKind(v);
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind type_kind = LLVMGetTypeKind(type);
    if (type_kind == LLVMStructTypeKind) {
        uint32_t n = LLVMCountStructElementTypes(type);
        for (uint32_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(v, i);
            if (part) walk(w, part, offset + LLVMOffsetOfElement(l->layout, type, i));
        }
        return;
    }
    if (type_kind == LLVMArrayTypeKind) {
        size_t len;
        if (is_number_array(kind) && !w->numbers) {
            const uint8_t *raw = lower_raw_numbers(v, &len);
            if (raw) add_bytes(w, offset, raw, len);
            return;
        }
        uint64_t size = lower_type(l, LLVMGetElementType(type))->size;
        uint64_t n = LLVMGetArrayLength2(type);
        for (uint64_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(v, (uint32_t)i);
            if (part) walk(w, part, offset + i * size);
        }
        return;
    }
    if (is_number_array(kind)) {
        size_t len;
        const uint8_t *raw = lower_raw_numbers(v, &len);
        if (raw) add_bytes(w, offset, raw, len);
        return;
    }
    // An address kept as an integer is still an address to those who follow pointers.
    MType t = lower_mtype(l, type);
    int64_t at;
    LLVMValueRef base = lower_base_symbol(l, v, &at);
    if (base) {
        t = mtype(MT_PTR, l->u->pointer_bytes);
        Ref r = ref_none();
        uint32_t id = lower_symbol(l, base, SYMBOL_GLOBAL);
        if (id) {
            r = unit_const(
                l->b, (Const){.kind = CONST_GLOBAL, .type = t.bits, .target = id, .value = at});
        } else if (at == 0 && lower_symbol(l, base, SYMBOL_FUNC)) {
            r = lower_value(l, base);
        }
        add_init(w, offset, ref_is_none(r) ? lower_opaque(l, t) : r, t);
        return;
    }
    if (type_kind == LLVMPointerTypeKind && LLVMGetValueKind(v) == LLVMConstantExprValueKind) {
        // inttoptr of a number, or what we cannot follow
        LLVMValueRef from = LLVMGetOperand(v, 0);
        if (LLVMGetConstOpcode(v) == LLVMIntToPtr &&
            LLVMGetValueKind(from) == LLVMConstantIntValueKind) {
            MType i = mtype(MT_INT, l->pointer_bits);
            add_init(w, offset, lower_int(l, l->pointer_bits, LLVMConstIntGetSExtValue(from)), i);
            return;
        }
        add_init(w, offset, lower_opaque(l, t), t);
        return;
    }
    if (type_kind != LLVMPointerTypeKind && !w->numbers) {
        uint8_t bytes[64] = {0};
        uint64_t size = lower_type(l, type)->size;
        if (size <= sizeof bytes && lower_const_bytes(l, v, bytes)) add_bytes(w, offset, bytes, size);
        return;
    }
    if (lower_needs_code(l, v))
        add_init(w, offset, lower_opaque(l, t), t);
    else
        add_init(w, offset, lower_value(l, v), t);
}

// L"...": its text when all of it is ASCII. The numbers are told as those of any table.
static void take_wide_text(Lower *l, Global *g, LLVMValueRef init)
{
    LLVMTypeRef type = LLVMTypeOf(init);
    if (!LLVMIsAConstantDataArray(init) || !(g->flags & GLOBAL_CONST)) return;
    LLVMTypeRef each = LLVMGetElementType(type);
    uint32_t n = (uint32_t)LLVMGetArrayLength2(type);
    if (LLVMGetTypeKind(each) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(each) != 32 || n < 2 ||
        n - 1 > TEXT_MAX)
        return;
    char text[TEXT_MAX + 1];
    for (uint32_t i = 0; i < n; i++) {
        uint64_t c = LLVMConstIntGetZExtValue(LLVMGetAggregateElement(init, i));
        if (c >= 128 || (c == 0) != (i + 1 == n)) return;
        text[i] = (char)c;
    }
    g->flags |= GLOBAL_STRING;
    g->text = name_of_n(l->u->names, text, n - 1);
}

static bool take_text(Lower *l, Global *g, LLVMValueRef init)
{
    if (!LLVMIsConstantString(init)) return false;
    size_t len;
    const char *s = LLVMGetAsString(init, &len);
    if (!len || s[len - 1] != 0) return false;
    if (!(g->flags & GLOBAL_CONST)) return false;
    g->flags |= GLOBAL_STRING;
    if (len - 1 <= TEXT_MAX && !memchr(s, 0, len - 1)) {
        g->text = name_of_n(l->u->names, s, len - 1);
        return true;
    }
    return false;
}

void lower_init(Lower *l, Global *g, LLVMValueRef init)
{
    g->flags |= GLOBAL_DEFINED;
    if (LLVMIsNull(init) || LLVMIsUndef(init)) {
        g->flags |= GLOBAL_ZERO;
        return;
    }
    if (take_text(l, g, init)) return;
    take_wide_text(l, g, init);
    InitWalk w = {.l = l,
                  .g = g,
                  .numbers = keeps_numbers(init),
                  .global = (uint32_t)(g - l->u->globals.at)};
    uint32_t first = l->u->inits.len;
    g->flags |= GLOBAL_ZERO;
    if (!w.numbers) g->flags |= GLOBAL_INIT_PARTIAL;
    walk(&w, init, 0);
    g->first_init = first;
    g->init_count = l->u->inits.len - first;
}
