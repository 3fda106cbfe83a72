// Reference counts: as many puts as gets.
#include <stdlib.h>
#include <string.h>

struct object {
    int refs;
    char *name;
};

static struct object *object_new(const char *name) {
    struct object *o = malloc(sizeof *o); // LEAK extra; LEAK early
    if (o == NULL)
        return NULL;
    o->name = strdup(name); // ALSO extra_name; ALSO early_name
    if (o->name == NULL) {
        free(o);
        return NULL;
    }
    o->refs = 1;
    return o;
}

static struct object *object_get(struct object *o) {
    o->refs++;
    return o;
}

static void object_put(struct object *o) {
    if (o == NULL || --o->refs > 0)
        return;
    free(o->name);
    free(o);
}

void one_reference(const char *name) {
    struct object *o = object_new(name);
    object_put(o);
}

int two_references(const char *name) {
    struct object *o = object_new(name);
    if (o == NULL)
        return -1;
    struct object *second = object_get(o);
    object_put(second);
    object_put(o);
    return 0;
}

int one_put_missing(const char *name) {
    struct object *o = object_new(name); // LEAK extra
    if (o == NULL)
        return -1;
    struct object *second = object_get(o);
    object_put(second);
    return 0; // LOST extra; LOST extra_name
}

int put_missing_on_error(const char *name) {
    struct object *o = object_new(name); // LEAK early
    if (o == NULL)
        return -1;
    if (o->name[0] == '.')
        return -2; // LOST early; LOST early_name
    object_put(o);
    return 0;
}

int used_after_the_last_put(const char *name) {
    struct object *o = object_new(name);
    if (o == NULL)
        return -1;
    object_put(o);
    return o->refs; // USE-AFTER-FREE
}

struct holder {
    struct object *held;
};

void holder_set(struct holder *h, struct object *o) {
    if (o != NULL)
        object_get(o);
    object_put(h->held);
    h->held = o;
}

int held_by_another(struct holder *h, const char *name) {
    struct object *o = object_new(name);
    if (o == NULL)
        return -1;
    holder_set(h, o);
    object_put(o);
    return 0;
}
