// A block made only to be passed to a function that copies it.
#include <stdlib.h>
#include <string.h>

struct field {
    char name[32];
    char *value;
};

static void field_set_name(struct field *f, const char *name) {
    strncpy(f->name, name, sizeof f->name - 1);
    f->name[sizeof f->name - 1] = 0;
}

static void field_set_value(struct field *f, char *value) {
    free(f->value);
    f->value = value;
}

void copied_from_a_temporary(struct field *f, const char *s) {
    field_set_name(f, strdup(s)); // LEAK temporary; LOST temporary
} // LOST temporary

void copied_from_a_named_temporary(struct field *f, const char *s) {
    char *t = strdup(s); // OK
    if (t == NULL)
        return;
    t[0] = '_';
    field_set_name(f, t);
    free(t);
}

void kept_from_a_temporary(struct field *f, const char *s) {
    field_set_value(f, strdup(s)); // OK
}

size_t measured_from_a_temporary(const char *s) {
    char *t;
    return strlen((t = strdup(s)) ? t : ""); // LEAK measured; LOST measured
}
