// Integers of more than 128 bits, as bytes: what large bit fields and _BitInt need. Multiplication
// and division of such are not modelled.
#include "witness/witness_int.h"

static bool bit_at(const uint8_t *x, uint32_t i)
{
    return x[i / 8] >> (i % 8) & 1;
}

static void set_bit(uint8_t *x, uint32_t i)
{
    x[i / 8] |= (uint8_t)(1 << (i % 8));
}

Value wit_resize(Machine *m, Value v, uint32_t from, uint32_t to, bool with_sign)
{
    uint32_t old = (from + 7) / 8, size = (to + 7) / 8;
    const uint8_t *x = wit_bytes_of(&v, old);
    uint8_t *made = arena_alloc(m->a, size > 16 ? size : 16);
    bool sign = with_sign && bit_at(x, from - 1);
    for (uint32_t i = 0; i < to; i++)
        if (i < from ? bit_at(x, i) : sign) set_bit(made, i);
    return wit_of_bytes(m, made, size);
}

static int order(const uint8_t *a, const uint8_t *b, uint32_t size)
{
    for (uint32_t i = size; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

bool wit_wide(Machine *m, Op op, uint32_t bits, Value va, Value vb, Value *out)
{
    uint32_t size = (bits + 7) / 8;
    const uint8_t *a = wit_bytes_of(&va, size), *b = wit_bytes_of(&vb, size);
    uint8_t *r = arena_alloc(m->a, size);
    bool minus_a = bit_at(a, bits - 1), minus_b = bit_at(b, bits - 1);
    uint64_t by = 0;
    memcpy(&by, b, 8);
    unsigned carry = op == OP_SUB;
    switch (op) {
    case OP_ADD:
    case OP_SUB:
        for (uint32_t i = 0; i < size; i++) {
            carry += (unsigned)a[i] + (op == OP_SUB ? (uint8_t)~b[i] : b[i]);
            r[i] = (uint8_t)carry;
            carry >>= 8;
        }
        break;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        for (uint32_t i = 0; i < size; i++)
            r[i] = op == OP_AND ? a[i] & b[i] : op == OP_OR ? a[i] | b[i] : a[i] ^ b[i];
        break;
    case OP_SHL:
        for (uint64_t i = by; i < bits; i++)
            if (bit_at(a, (uint32_t)(i - by))) set_bit(r, (uint32_t)i);
        break;
    case OP_LSHR:
    case OP_ASHR:
        for (uint64_t i = 0; i < bits; i++)
            if (by < bits - i ? bit_at(a, (uint32_t)(i + by)) : op == OP_ASHR && minus_a)
                set_bit(r, (uint32_t)i);
        break;
    case OP_EQ:
        *out = wit_word(order(a, b, size) == 0);
        return true;
    case OP_NE:
        *out = wit_word(order(a, b, size) != 0);
        return true;
    case OP_ULT:
        *out = wit_word(order(a, b, size) < 0);
        return true;
    case OP_ULE:
        *out = wit_word(order(a, b, size) <= 0);
        return true;
    case OP_SLT:
        *out = wit_word(minus_a != minus_b ? minus_a : order(a, b, size) < 0);
        return true;
    case OP_SLE:
        *out = wit_word(minus_a != minus_b ? minus_a : order(a, b, size) <= 0);
        return true;
    default:
        wit_stop(m, STOP_OPAQUE, "an integer of %u bits", bits);
        return false;
    }
    if (bits % 8) r[size - 1] &= (uint8_t)((1 << bits % 8) - 1);
    *out = wit_of_bytes(m, r, size);
    return true;
}
