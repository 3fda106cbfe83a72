// Counters that double: what holds of all powers of two holds behind the loop.
#include <stdlib.h>
#include <string.h>

extern const char *next_word(void);

int grown_and_freed(void) {
    size_t capacity = 4, n = 0;
    char **all = malloc(capacity * sizeof *all); // OK
    if (all == NULL)
        return -1;
    const char *w;
    while ((w = next_word()) != NULL) {
        if (n == capacity) {
            capacity *= 2;
            char **more = realloc(all, capacity * sizeof *all); // OK
            if (more == NULL)
                break;
            all = more;
        }
        all[n++] = strdup(w); // OK
    }
    for (size_t i = 0; i < n; i++)
        free(all[i]);
    free(all);
    return (int)n;
}

int old_array_lost(void) {
    size_t capacity = 4, n = 0;
    int *all = malloc(capacity * sizeof *all); // LEAK old
    if (all == NULL)
        return -1;
    while (next_word() != NULL) {
        if (n == capacity) {
            capacity *= 2;
            all = realloc(all, capacity * sizeof *all); // LOST old
            if (all == NULL)
                return -1; // LOST old
        }
        all[n++] = 1;
    }
    free(all);
    return (int)n;
}

// Powers of two: odd is never reached but for the first, 40 always.
void sizes_that_double(void) {
    char *p = NULL, *q = NULL;
    unsigned n = 1;
    while (n < 40)
        n *= 2;
    if (n == 64)
        p = malloc(n); // OK
    if (n != 64)
        q = malloc(n), q = NULL; // OK
    free(p);
    free(q);
}

int smallest_power(unsigned want) {
    unsigned n = 8;
    while (n < want && n < 1u << 30)
        n <<= 1;
    char *p = malloc(n); // OK
    if (n & 7)
        return -1;
    free(p);
    return (int)n;
}

int power_lost(unsigned want) {
    unsigned n = 8;
    while (n < want && n < 1u << 30)
        n *= 2;
    char *p = malloc(n); // LEAK power
    if (p != NULL && n >= 64)
        return -1; // LOST power
    free(p);
    return (int)n;
}
