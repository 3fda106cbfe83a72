// A large table of functions, and beside each one what it returns: a copy, or something that stays
// with the context.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct context {
    char name[20];
    long when;
};

enum kind { COPY, BORROWED };

struct entry {
    const char *key;
    enum kind kind;
    void *(*get)(struct context *c);
};

static void *get_name(struct context *c) {
    return strdup(c->name); // OK
}

static void *get_when(struct context *c) {
    return &c->when;
}

static void *get_key(struct context *c) {
    (void)c;
    return strdup("key"); // LEAK dropped
}

#define TWO {"name", COPY, get_name}, {"when", BORROWED, get_when}
#define EIGHT TWO, TWO, TWO, TWO
#define FORTY EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
static const struct entry table[] = {FORTY, FORTY, FORTY, FORTY, FORTY};

void each(struct context *c, void (*use)(const char *key, const char *text)) {
    char text[40];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct entry *e = &table[i];
        void *value = e->get(c);
        if (value == NULL)
            continue;
        if (e->kind == BORROWED) {
            snprintf(text, sizeof text, "%ld", *(long *)value);
            use(e->key, text);
        } else {
            use(e->key, value);
            free(value);
        }
    }
}

static const struct entry wrong[] = {{"key", BORROWED, get_key}, FORTY, FORTY, FORTY, FORTY};

void show(const char *key, const char *text);

void first(struct context *c) {
    void *value = wrong[0].get(c);
    if (value == NULL)
        return;
    show(wrong[0].key, value);
    if (wrong[0].kind == COPY)
        free(value);
} // LOST dropped
