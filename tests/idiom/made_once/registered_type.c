// A number that is made once, the first time it is asked for, as GObject does with its types: once that is done, by this
// thread or by another, it is not 0. What is refused for 0 is refused only where the number comes from elsewhere.
#include <stdlib.h>
#include <string.h>

typedef unsigned long gsize;

int g_once_init_enter(volatile void *location);
void g_once_init_leave(volatile void *location, gsize value);
gsize register_type(const char *name);

struct object {
    gsize type;
    char *text;
};

static struct object *wrap(gsize type, char *text) {
    if (type == 0) return NULL;
    struct object *o = malloc(sizeof *o);
    if (!o) abort();
    o->type = type;
    o->text = text;
    return o;
}

static gsize text_type(void) {
    static gsize type;
    if (!type && g_once_init_enter(&type)) {
        gsize made = register_type("text");
        g_once_init_leave(&type, made);
    }
    return type;
}

static gsize forgotten_type(void) {
    static gsize type;
    if (!type && g_once_init_enter(&type)) register_type("text");
    return type;
}

struct object *object_of(const char *text) {
    char *copy = strdup(text); // OK
    if (!copy) return NULL;
    return wrap(text_type(), copy);
}

struct object *object_of_type(gsize type, const char *text) {
    char *copy = strdup(text); // LEAK by_caller
    if (!copy) return NULL;
    return wrap(type, copy); // LOST by_caller
}

struct object *object_too_early(const char *text) {
    char *copy = strdup(text); // LEAK too_early
    if (!copy) return NULL;
    return wrap(forgotten_type(), copy); // LOST too_early
}
