// A word that is either a small number or a pointer to a boxed value.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uintptr_t value;

struct box {
    long refs;
    char *text;
};

static value from_int(long n) {
    return (value)(n << 1) | 1;
}

static int is_int(value v) {
    return v & 1;
}

static value from_text(const char *s) {
    struct box *b = malloc(sizeof *b); // LEAK value
    if (b == NULL)
        abort();
    b->refs = 1;
    b->text = strdup(s); // ALSO text
    return (value)b;
}

static void drop(value v) {
    if (is_int(v))
        return;
    struct box *b = (struct box *)v;
    free(b->text);
    free(b);
}

void number_dropped(long n) {
    drop(from_int(n));
}

void text_dropped(const char *s) {
    value v = from_text(s);
    drop(v);
}

int text_forgotten(const char *s) {
    value v = from_text(s); // LEAK value
    return is_int(v);       // LOST value; LOST text
}

void stored(value *slot, const char *s) {
    drop(*slot);
    *slot = from_text(s);
}
