// FREE_AND_NULL: freed once and safe to free again.
#include <stdlib.h>
#include <string.h>

#define FREE_AND_NULL(p)                                                                           \
    do {                                                                                           \
        free(p);                                                                                   \
        (p) = NULL;                                                                                \
    } while (0)

struct record {
    char *key;
    char *value;
};

void freed_twice_safely(void) {
    char *p = malloc(8); // OK
    FREE_AND_NULL(p);
    free(p);
}

void record_clear(struct record *r) {
    FREE_AND_NULL(r->key);
    FREE_AND_NULL(r->value);
}

void cleared_twice(const char *s) {
    struct record r;
    r.key = strdup(s);   // OK
    r.value = strdup(s); // OK
    record_clear(&r);
    record_clear(&r);
}

void nulled_before_the_free(void) {
    char *p = malloc(8); // LEAK nulled
    p = NULL;            // LOST nulled
    FREE_AND_NULL(p);
}

void one_field_cleared(const char *s) {
    struct record r;
    r.key = strdup(s);   // OK
    r.value = strdup(s); // LEAK value
    FREE_AND_NULL(r.key);
} // LOST value

void freed_without_null_and_again(void) {
    char *p = malloc(8); // OK
    free(p);
    FREE_AND_NULL(p); // DOUBLE-FREE
}
