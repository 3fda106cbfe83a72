// Conditions over machine integers: wrap-around, signedness, widths, masks.
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

void unsigned_is_never_negative(unsigned n) {
    char *p = malloc(4); // OK
    if (n - 1 < n || n == 0)
        free(p);
}

void wraps_to_zero(unsigned char c) {
    char *p = malloc(4); // LEAK wrapped
    c++;
    if (c != 0)
        free(p);
} // LOST wrapped

void byte_is_below_256(unsigned char c) {
    char *p = malloc(4); // OK
    if (c < 256)
        free(p);
}

void signed_char_is_above_127_never(signed char c) {
    char *p = malloc(4); // OK
    if (c <= 127)
        free(p);
}

void mask_keeps_two_bits(int n) {
    char *p = malloc(4); // OK
    if ((n & 3) < 4)
        free(p);
}

void mask_and_equality(int n) {
    char *p = malloc(4); // LEAK masked
    if ((n & 3) != 2)
        free(p);
} // LOST masked

void truncated_to_zero(uint32_t n) {
    char *p = malloc(4); // LEAK truncated
    if (n == 0 || (uint8_t)n != 0)
        free(p);
} // LOST truncated

void sum_of_equals(int a, int b) {
    char *p = malloc(4); // OK
    if (a == b) {
        if (a - b == 0)
            free(p);
    } else {
        free(p);
    }
}

void ordered_three(int a, int b, int c) {
    char *p = NULL;
    if (a < b && b < c)
        p = malloc(4); // OK
    if (a < c)
        free(p);
}

void multiplied(int n) {
    char *p = NULL;
    if (n > 0 && n < 100)
        p = malloc(4); // OK
    if (n * 2 > 1)
        free(p);
}

void compared_as_unsigned(int n) {
    char *p = malloc(4); // LEAK negative
    if ((unsigned)n < 10u)
        free(p);
    else if (n >= 10)
        free(p);
} // LOST negative

void flags_set_and_tested(int wide) {
    unsigned flags = 0;
    char *p = NULL;
    if (wide) {
        p = malloc(4); // OK
        flags |= 4u;
    }
    flags |= 1u;
    if (flags & 4u)
        free(p);
}
