// What the programs of csmith include: its package has the generator alone. Arithmetic that C leaves
// undefined gets some meaning; any will do, since both sides of the comparison use this file.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIGNED(T, U, bits)                                                                         \
    static T safe_unary_minus_func_##T##_s(T a) { return (T)(0 - (U)a); }                          \
    static T safe_add_func_##T##_s_s(T a, T b) { return (T)((U)a + (U)b); }                        \
    static T safe_sub_func_##T##_s_s(T a, T b) { return (T)((U)a - (U)b); }                        \
    static T safe_mul_func_##T##_s_s(T a, T b) { return (T)((uint64_t)a * (uint64_t)b); }          \
    static T safe_div_func_##T##_s_s(T a, T b) { return b == 0 || b == -1 ? a : (T)(a / b); }      \
    static T safe_mod_func_##T##_s_s(T a, T b) { return b == 0 || b == -1 ? a : (T)(a % b); }      \
    static T safe_lshift_func_##T##_s_s(T a, int b)                                                \
    {                                                                                              \
        return b < 0 || b >= bits ? a : (T)((uint64_t)(U)a << b);                                  \
    }                                                                                              \
    static T safe_rshift_func_##T##_s_s(T a, int b) { return b < 0 || b >= bits ? a : (T)(a >> b); } \
    static T safe_lshift_func_##T##_s_u(T a, unsigned b)                                           \
    {                                                                                              \
        return b >= bits ? a : (T)((uint64_t)(U)a << b);                                           \
    }                                                                                              \
    static T safe_rshift_func_##T##_s_u(T a, unsigned b) { return b >= bits ? a : (T)(a >> b); }
#define UNSIGNED(T, bits)                                                                          \
    static T safe_unary_minus_func_##T##_u(T a) { return (T)(0 - a); }                             \
    static T safe_add_func_##T##_u_u(T a, T b) { return (T)(a + b); }                              \
    static T safe_sub_func_##T##_u_u(T a, T b) { return (T)(a - b); }                              \
    static T safe_mul_func_##T##_u_u(T a, T b) { return (T)((uint64_t)a * b); }                    \
    static T safe_div_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a / b); }                 \
    static T safe_mod_func_##T##_u_u(T a, T b) { return b == 0 ? a : (T)(a % b); }                 \
    static T safe_lshift_func_##T##_u_s(T a, int b)                                                \
    {                                                                                              \
        return b < 0 || b >= bits ? a : (T)((uint64_t)a << b);                                     \
    }                                                                                              \
    static T safe_rshift_func_##T##_u_s(T a, int b) { return b < 0 || b >= bits ? a : (T)(a >> b); } \
    static T safe_lshift_func_##T##_u_u(T a, unsigned b)                                           \
    {                                                                                              \
        return b >= bits ? a : (T)((uint64_t)a << b);                                              \
    }                                                                                              \
    static T safe_rshift_func_##T##_u_u(T a, unsigned b) { return b >= bits ? a : (T)(a >> b); }
SIGNED(int8_t, uint8_t, 8)
SIGNED(int16_t, uint16_t, 16)
SIGNED(int32_t, uint32_t, 32)
SIGNED(int64_t, uint64_t, 64)
UNSIGNED(uint8_t, 8)
UNSIGNED(uint16_t, 16)
UNSIGNED(uint32_t, 32)
UNSIGNED(uint64_t, 64)
static float safe_add_func_float_f_f(float a, float b) { return a + b; }
static float safe_sub_func_float_f_f(float a, float b) { return a - b; }
static float safe_mul_func_float_f_f(float a, float b) { return a * b; }
static float safe_div_func_float_f_f(float a, float b) { return b == 0 ? a : a / b; }
static int32_t safe_convert_func_float_to_int32_t(float f)
{
    return f > -2147483648.0f && f < 2147483648.0f ? (int32_t)f : 0;
}
static uint32_t crc = 0xffffffff;
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t value, const char *name, int print)
{
    for (int i = 0; i < 8; i++) crc = (crc ^ (uint8_t)(value >> 8 * i)) * 16777619u;
    if (print) printf("%s %" PRIx32 "\n", name, crc);
}
static void transparent_crc_bytes(const char *at, int n, const char *name, int print)
{
    for (int i = 0; i < n; i++) transparent_crc((uint8_t)at[i], name, print && i + 1 == n);
}
#define crc32_context crc
static void platform_main_begin(void) {}
static void platform_main_end(uint32_t last, int flag) { printf("%" PRIx32 " %d\n", last, flag); }
