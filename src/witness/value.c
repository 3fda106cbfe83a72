// Values: integers of up to 128 bits with C's wrap-around, floats as the machine has them.
#include "witness/witness_int.h"

#include <math.h>

Value wit_word(uint64_t n)
{
    return (Value){.lo = n};
}

Value wit_of_bytes(Machine *m, const uint8_t *bytes, uint32_t n)
{
    Value v = {0};
    if (n <= 16)
        memcpy(&v, bytes, n);
    else
        v.lo = (uintptr_t)arena_copy(m->a, bytes, n);
    return v;
}

const uint8_t *wit_bytes_of(const Value *v, uint32_t n)
{
    return n <= 16 ? (const uint8_t *)v : (const uint8_t *)(uintptr_t)v->lo;
}

U128 wit_u(Value v)
{
    return (U128)v.hi << 64 | v.lo;
}

S128 wit_s(Value v, uint32_t bits)
{
    U128 n = wit_u(v);
    if (bits == 0 || bits >= 128) return (S128)n;
    U128 sign = (U128)1 << (bits - 1);
    n &= (sign << 1) - 1;
    return (S128)((n ^ sign) - sign);
}

Value wit_v(U128 n, uint32_t bits)
{
    if (bits < 128) n &= ((U128)1 << bits) - 1;
    return (Value){.lo = (uint64_t)n, .hi = (uint64_t)(n >> 64)};
}

bool wit_integer(Machine *m, Op op, uint32_t bits, Value va, Value vb, Value *out)
{
    if (bits > 128) return wit_wide(m, op, bits, va, vb, out);
    U128 a = wit_u(va), b = wit_u(vb), n = 0;
    S128 sa = wit_s(va, bits), sb = wit_s(vb, bits);
    bool shifts = op == OP_SHL || op == OP_LSHR || op == OP_ASHR;
    if (shifts && b >= bits) b = bits <= 64 ? b & (bits <= 32 ? 31 : 63) : b & 127; // undefined: x86's way
    bool divides = op == OP_UDIV || op == OP_SDIV || op == OP_UREM || op == OP_SREM;
    if (divides && b == 0) {
        wit_end(m, WITNESS_ABORTED, 8);
        return false;
    }
    switch (op) {
    case OP_ADD:
        n = a + b;
        break;
    case OP_SUB:
        n = a - b;
        break;
    case OP_MUL:
        n = a * b;
        break;
    case OP_UDIV:
        n = a / b;
        break;
    case OP_UREM:
        n = a % b;
        break;
    case OP_SDIV:
    case OP_SREM:
        if (sb == -1) { // also the one quotient that overflows
            if (bits >= 32 && (U128)sa == (U128)1 << (bits - 1)) {
                wit_end(m, WITNESS_ABORTED, 8);
                return false;
            }
            n = op == OP_SDIV ? -(U128)sa : 0;
            break;
        }
        n = op == OP_SDIV ? (U128)(sa / sb) : (U128)(sa % sb);
        break;
    case OP_SHL:
        n = a << b;
        break;
    case OP_LSHR:
        n = a >> b;
        break;
    case OP_ASHR:
        n = (U128)(sa >> b);
        break;
    case OP_AND:
        n = a & b;
        break;
    case OP_OR:
        n = a | b;
        break;
    case OP_XOR:
        n = a ^ b;
        break;
    case OP_EQ:
        *out = wit_word(a == b);
        return true;
    case OP_NE:
        *out = wit_word(a != b);
        return true;
    case OP_ULT:
        *out = wit_word(a < b);
        return true;
    case OP_ULE:
        *out = wit_word(a <= b);
        return true;
    case OP_SLT:
        *out = wit_word(sa < sb);
        return true;
    case OP_SLE:
        *out = wit_word(sa <= sb);
        return true;
    default:
        die("wit_integer: %s", op_text(op));
    }
    *out = wit_v(n, bits);
    return true;
}

// ---- floats

double wit_double(Value v, uint32_t bytes)
{
    if (bytes == 4) {
        float f;
        memcpy(&f, &v, 4);
        return f;
    }
    double d;
    memcpy(&d, &v, 8);
    return d;
}

Value wit_of_double(double d, uint32_t bytes)
{
    Value v = {0};
    float f = (float)d;
    if (bytes == 4)
        memcpy(&v, &f, 4);
    else
        memcpy(&v, &d, 8);
    return v;
}

// The widest of the machine's types in which the operation has the same result.
static long double real(Value v, uint32_t bytes)
{
    long double x = 0;
    if (bytes != 10) return wit_double(v, bytes);
    memcpy(&x, &v, 10);
    return x;
}

static Value of_real(long double x, uint32_t bytes)
{
    if (bytes != 10) return wit_of_double((double)x, bytes);
    Value v = {0};
    memcpy(&v, &x, 10);
    return v;
}

// Arithmetic is done in the type itself: rounding twice would differ.
#define ARITHMETIC(T, load, store)                                                                 \
    do {                                                                                           \
        T a = (T)load(va, n), b = (T)load(vb, n), r;                                               \
        switch (calc) {                                                                            \
        case CALC_FADD:                                                                            \
            r = a + b;                                                                             \
            break;                                                                                 \
        case CALC_FSUB:                                                                            \
            r = a - b;                                                                             \
            break;                                                                                 \
        case CALC_FMUL:                                                                            \
            r = a * b;                                                                             \
            break;                                                                                 \
        default:                                                                                   \
            r = a / b;                                                                             \
        }                                                                                          \
        return store(r, n);                                                                        \
    } while (0)

static Value float_arithmetic(Calc calc, Value va, Value vb, uint32_t n)
{
    if (n == 4) ARITHMETIC(float, wit_double, wit_of_double);
    if (n == 8) ARITHMETIC(double, wit_double, wit_of_double);
    ARITHMETIC(long double, real, of_real);
}

static bool float_compare(Calc calc, long double a, long double b)
{
    uint32_t predicate = (uint32_t)(calc - CALC_FCMP_FALSE); // bits: equal, greater, less, unordered
    uint32_t is = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
    return predicate & is;
}

static Value float_unary(Calc calc, Value va, uint32_t n)
{
    long double a = real(va, n);
    switch (calc) {
    case CALC_FNEG:
        return of_real(-a, n);
    case CALC_FABS:
        return of_real(fabsl(a), n);
    case CALC_SQRT:
        return n == 4   ? wit_of_double(sqrtf((float)a), 4)
               : n == 8 ? wit_of_double(sqrt((double)a), 8)
                        : of_real(sqrtl(a), n);
    case CALC_FLOOR:
        return of_real(floorl(a), n);
    case CALC_CEIL:
        return of_real(ceill(a), n);
    case CALC_FTRUNC:
        return of_real(truncl(a), n);
    case CALC_RINT:
        return of_real(rintl(a), n);
    default:
        return of_real(roundl(a), n);
    }
}

// What a float is made to as an integer, as x86's conversions do where C leaves it open.
static Value to_integer(Calc calc, long double x, uint32_t bits)
{
    if (calc == CALC_FPTOUI && x >= 9223372036854775808.0L && bits <= 64)
        return wit_v(x < 18446744073709551616.0L ? (U128)(uint64_t)x : (U128)1 << 63, bits);
    if (bits > 64 && fabsl(x) < 1.0e38L)
        return wit_v(x < 0 ? (U128)(S128)x : (U128)x, bits);
    bool fits = x > -9223372036854775809.0L && x < 9223372036854775808.0L;
    if (bits <= 32 && calc == CALC_FPTOSI && !(x > -2147483649.0L && x < 2147483648.0L))
        return wit_v((U128)1 << 31, bits);
    return wit_v(fits ? (U128)(S128)(int64_t)x : (U128)1 << 63, bits);
}

static bool float_class(long double x, uint32_t bits, uint64_t mask, uint32_t bytes)
{
    (void)bits;
    int c = fpclassify(bytes == 4 ? (double)(float)x : (double)x);
    if (bytes == 4) c = fpclassify((float)x);
    bool minus = signbit(x);
    uint64_t is = 0;
    if (c == FP_NAN) is = 1 | 2;
    if (c == FP_INFINITE) is = minus ? 4 : 512;
    if (c == FP_NORMAL) is = minus ? 8 : 256;
    if (c == FP_SUBNORMAL) is = minus ? 16 : 128;
    if (c == FP_ZERO) is = minus ? 32 : 64;
    return mask & is;
}

static bool float_calc(Machine *m, Calc calc, const Arg *x, uint32_t count, MType t, Value *out)
{
    uint32_t n = mtype_bytes(mtype_class(x[0].type) == MT_FLOAT ? x[0].type : t);
    if (n != 4 && n != 8 && n != 10) {
        wit_stop(m, STOP_OPAQUE, "a float of %u bytes", n);
        return false;
    }
    uint32_t to = mtype_bytes(t), from_bits = mtype_size(x[0].type);
    if (calc >= CALC_FCMP_FALSE && calc <= CALC_FCMP_TRUE && count >= 2) {
        *out = wit_word(float_compare(calc, real(x[0].value, n), real(x[1].value, n)));
        return true;
    }
    switch (calc) {
    case CALC_FADD:
    case CALC_FSUB:
    case CALC_FMUL:
    case CALC_FDIV:
        if (count < 2) break;
        *out = float_arithmetic(calc, x[0].value, x[1].value, n);
        return true;
    case CALC_FREM:
        if (count < 2) break;
        *out = of_real(fmodl(real(x[0].value, n), real(x[1].value, n)), n);
        return true;
    case CALC_FNEG:
    case CALC_FABS:
    case CALC_SQRT:
    case CALC_FLOOR:
    case CALC_CEIL:
    case CALC_FTRUNC:
    case CALC_RINT:
    case CALC_ROUND:
        *out = float_unary(calc, x[0].value, n);
        return true;
    case CALC_FPTOUI:
    case CALC_FPTOSI:
        *out = to_integer(calc, real(x[0].value, n), mtype_size(t));
        return true;
    case CALC_UITOFP:
    case CALC_SITOFP: {
        U128 u = wit_u(x[0].value);
        S128 s = wit_s(x[0].value, from_bits);
        bool is_signed = calc == CALC_SITOFP;
        if (to == 4)
            *out = wit_of_double(is_signed ? (float)s : (float)u, 4);
        else if (to == 8)
            *out = wit_of_double(is_signed ? (double)s : (double)u, 8);
        else
            *out = of_real(is_signed ? (long double)s : (long double)u, to);
        return true;
    }
    case CALC_FPTRUNC:
    case CALC_FPEXT:
        if (to != 4 && to != 8 && to != 10) break;
        *out = to == 4 && n == 10 ? wit_of_double((float)real(x[0].value, n), 4)
                                  : of_real(real(x[0].value, n), to);
        return true;
    case CALC_FMULADD: // two roundings, as without contraction
        if (count < 3) break;
        *out = float_arithmetic(CALC_FADD, float_arithmetic(CALC_FMUL, x[0].value, x[1].value, n),
                                x[2].value, n);
        return true;
    case CALC_FMA:
        if (count < 3) break;
        *out = n == 4 ? wit_of_double(fmaf((float)real(x[0].value, n), (float)real(x[1].value, n),
                                           (float)real(x[2].value, n)),
                                      4)
               : n == 8
                   ? wit_of_double(fma((double)real(x[0].value, n), (double)real(x[1].value, n),
                                       (double)real(x[2].value, n)),
                                   8)
                   : of_real(fmal(real(x[0].value, n), real(x[1].value, n), real(x[2].value, n)), n);
        return true;
    case CALC_FMIN:
    case CALC_FMAX:
    case CALC_COPYSIGN: {
        if (count < 2) break;
        long double a = real(x[0].value, n), b = real(x[1].value, n);
        *out = of_real(calc == CALC_FMIN   ? fminl(a, b)
                       : calc == CALC_FMAX ? fmaxl(a, b)
                                           : copysignl(a, b),
                       n);
        return true;
    }
    case CALC_FCLASS:
        if (count < 2) break;
        *out = wit_word(float_class(real(x[0].value, n), 0, x[1].value.lo, n));
        return true;
    default:
        break;
    }
    wit_stop(m, STOP_OPAQUE, "%s", calc_text(calc));
    return false;
}

// ---- integers that have no op of their own

static bool overflows(Calc calc, U128 a, U128 b, S128 sa, S128 sb, uint32_t bits)
{
    S128 s = 0;
    U128 u = 0;
    bool over = false;
    switch (calc) {
    case CALC_SADD_OVER:
        over = __builtin_add_overflow(sa, sb, &s);
        break;
    case CALC_SSUB_OVER:
        over = __builtin_sub_overflow(sa, sb, &s);
        break;
    case CALC_SMUL_OVER:
        over = __builtin_mul_overflow(sa, sb, &s);
        break;
    case CALC_UADD_OVER:
        over = __builtin_add_overflow(a, b, &u);
        return over || (bits < 128 && u >> bits);
    case CALC_USUB_OVER:
        return a < b;
    default:
        over = __builtin_mul_overflow(a, b, &u);
        return over || (bits < 128 && u >> bits);
    }
    return over || s != wit_s(wit_v((U128)s, bits), bits);
}

static U128 saturated(Calc calc, U128 a, U128 b, S128 sa, S128 sb, uint32_t bits)
{
    U128 most = bits == 128 ? ~(U128)0 : ((U128)1 << bits) - 1, sign = (U128)1 << (bits - 1);
    switch (calc) {
    case CALC_UADD_SAT:
        return overflows(CALC_UADD_OVER, a, b, sa, sb, bits) ? most : a + b;
    case CALC_USUB_SAT:
        return a < b ? 0 : a - b;
    case CALC_SADD_SAT:
        if (!overflows(CALC_SADD_OVER, a, b, sa, sb, bits)) return a + b;
        return sa < 0 ? sign : sign - 1;
    default:
        if (!overflows(CALC_SSUB_OVER, a, b, sa, sb, bits)) return a - b;
        return sa < 0 ? sign : sign - 1;
    }
}

static U128 bit_calc(Calc calc, U128 a, uint32_t bits)
{
    U128 n = 0;
    for (uint32_t i = 0; i < bits; i++) {
        bool set = a >> i & 1;
        switch (calc) {
        case CALC_CTPOP:
            n += set;
            break;
        case CALC_CTTZ:
            if (set) return i;
            break;
        case CALC_CTLZ:
            if (a >> (bits - 1 - i) & 1) return i;
            break;
        case CALC_BITREVERSE:
            if (set) n |= (U128)1 << (bits - 1 - i);
            break;
        default: // BSWAP
            if (set) n |= (U128)1 << (bits - 8 - i / 8 * 8 + i % 8);
        }
    }
    return calc == CALC_CTTZ || calc == CALC_CTLZ ? bits : n;
}

static bool int_calc(Machine *m, Calc calc, const Arg *x, uint32_t count, MType t, Value *out)
{
    uint32_t bits = mtype_size(x[0].type);
    if (mtype_class(x[0].type) != MT_INT || bits > 128) {
        wit_stop(m, STOP_OPAQUE, "%s", calc_text(calc));
        return false;
    }
    U128 a = wit_u(x[0].value), b = count > 1 ? wit_u(x[1].value) : 0;
    S128 sa = wit_s(x[0].value, bits), sb = count > 1 ? wit_s(x[1].value, bits) : 0;
    switch (calc) {
    case CALC_SADD_OVER:
    case CALC_UADD_OVER:
    case CALC_SSUB_OVER:
    case CALC_USUB_OVER:
    case CALC_SMUL_OVER:
    case CALC_UMUL_OVER:
        *out = wit_word(overflows(calc, a, b, sa, sb, bits));
        return true;
    case CALC_SADD_SAT:
    case CALC_UADD_SAT:
    case CALC_SSUB_SAT:
    case CALC_USUB_SAT:
        *out = wit_v(saturated(calc, a, b, sa, sb, bits), bits);
        return true;
    case CALC_FSHL:
    case CALC_FSHR: {
        uint32_t by = count > 2 ? (uint32_t)(wit_u(x[2].value) % bits) : 0;
        if (calc == CALC_FSHR) by = by ? bits - by : bits;
        U128 high = by == bits ? 0 : a << by, low = by == 0 ? 0 : b >> (bits - by);
        *out = wit_v(high | low, bits);
        return true;
    }
    case CALC_SCMP:
        *out = wit_v(sa < sb ? ~(U128)0 : sa > sb, mtype_size(t));
        return true;
    case CALC_UCMP:
        *out = wit_v(a < b ? ~(U128)0 : a > b, mtype_size(t));
        return true;
    default:
        *out = wit_v(bit_calc(calc, a, bits), bits);
        return true;
    }
}

static bool vector_calc(Machine *m, Calc calc, const Ins *ins, const Arg *x, uint32_t count,
                        Value *out)
{
    MType elem = ins_calc_elem(ins);
    uint32_t size = mtype_bytes(elem), whole = mtype_bytes(x[0].type);
    uint32_t index = calc == CALC_EXTRACT ? 1 : 2;
    uint64_t at = count > index ? x[index].value.lo * size : whole;
    if (!size || at + size > whole) {
        wit_stop(m, STOP_OPAQUE, "%s", calc_text(calc));
        return false;
    }
    const uint8_t *bytes = wit_bytes_of(&x[0].value, whole);
    if (calc == CALC_EXTRACT) {
        *out = wit_of_bytes(m, bytes + at, size);
        return true;
    }
    uint8_t *copy = arena_copy(m->a, bytes, whole);
    memcpy(copy + at, wit_bytes_of(&x[1].value, size), size);
    *out = wit_of_bytes(m, copy, whole);
    return true;
}

bool wit_calc(Machine *m, const Frame *f, const Ins *ins, Value *out)
{
    enum { MOST = 8 };
    Arg x[MOST] = {0};
    Calc calc = ins_calc(ins);
    uint32_t n = ins->c < MOST ? ins->c : MOST;
    *out = wit_word(0);
    if (calc == CALC_ANY && mtype_bytes(ins->type) <= 16) return true;
    if (calc == CALC_NONE || calc == CALC_ANY || !n) {
        wit_stop(m, STOP_OPAQUE, "%s", "");
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t ref = *func_extra(f->u, f->f, ins->b + i);
        x[i] = (Arg){wit_ref(m, f, ref), wit_ref_type(f, ref)};
    }
    if (m->ended) return false;
    switch (calc) {
    case CALC_BITCAST:
        *out = x[0].value;
        if (mtype_bytes(x[0].type) == mtype_bytes(ins->type)) return true;
        break;
    case CALC_PTRMASK:
        *out = wit_word((x[0].value.lo & x[1].value.lo) - x[0].value.lo);
        return true;
    case CALC_TYPEID:
        *out = wit_word(wit_typeid(m, x[0].value.lo));
        return true;
    case CALC_EXTRACT:
    case CALC_INSERT:
        return vector_calc(m, calc, ins, x, n, out);
    default:
        if (calc >= CALC_FNEG && calc <= CALC_FCLASS)
            return float_calc(m, calc, x, n, ins->type, out);
        if (calc >= CALC_SADD_OVER && calc <= CALC_UCMP)
            return int_calc(m, calc, x, n, ins->type, out);
    }
    wit_stop(m, STOP_OPAQUE, "%s", calc_text(calc));
    return false;
}
