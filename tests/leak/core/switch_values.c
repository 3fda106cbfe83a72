// Switches with many values for one block: told apart, or as the ranges that they make up.
#include <stdlib.h>

#define EIGHT(a) case a: case a + 1: case a + 2: case a + 3: case a + 4: case a + 5: case a + 6: case a + 7
#define ODD(a) case a: case a + 2: case a + 4: case a + 6: case a + 8: case a + 10: case a + 12: case a + 14

int same_range_twice(int kind) {
    char *p = NULL;
    switch (kind) {
    EIGHT(10):
        p = malloc(4); // OK
        break;
    default:
        break;
    }
    switch (kind) {
    EIGHT(10):
        free(p);
        break;
    default:
        break;
    }
    return kind;
}

int one_value_forgotten(int kind) {
    char *p = NULL;
    switch (kind) {
    EIGHT(10):
        p = malloc(4); // LEAK forgotten
        break;
    default:
        break;
    }
    switch (kind) {
    case 10: case 11: case 12: case 13: case 14: case 15: case 16:
        free(p);
        break;
    default:
        break; // LOST forgotten; WHEN: kind == 17
    }
    return kind;
}

// Not what lies between the values.
int with_gaps(int kind) {
    char *p = NULL;
    switch (kind) {
    ODD(1):
        p = malloc(4); // OK
        break;
    default:
        break;
    }
    switch (kind) {
    ODD(1):
        free(p);
        break;
    default:
        break;
    }
    return kind;
}

int negative_and_positive(int kind) {
    char *p = NULL;
    switch (kind) {
    EIGHT(-4):
        p = malloc(4); // OK
        break;
    default:
        break;
    }
    if (kind >= -4 && kind < 4) free(p);
    return kind;
}

int negative_forgotten(int kind) {
    char *p = NULL;
    switch (kind) {
    EIGHT(-4):
        p = malloc(4); // LEAK negative
        break;
    default:
        break;
    }
    if (kind >= 0 && kind < 4) free(p);
    return kind; // LOST negative; WHEN: kind < 0
}

// The top of an unsigned type follows the bottom of nothing.
int unsigned_values(unsigned char kind) {
    char *p = NULL;
    switch (kind) {
    case 0: case 1: case 2: case 252: case 253: case 254: case 255:
        p = malloc(4); // OK
        break;
    default:
        break;
    }
    if (kind < 3 || kind > 251) free(p);
    return kind;
}
