// An entry that was found in a table gets another value: it has had one since it was made.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

enum { ROWS = 16 };

struct entry {
    struct entry *next;
    char *key, *value, *origin;
};

struct table {
    struct entry *row[ROWS];
};

static unsigned row_of(const char *s)
{
    unsigned n = 0;
    while (*s) n = n * 31 + (unsigned char)*s++;
    return n % ROWS;
}

int table_add(struct table *t, const char *key, const char *value)
{
    struct entry *e = calloc(1, sizeof *e); // OK
    if (!e)
        return -1;
    e->key = strdup(key);     // OK
    e->value = strdup(value); // OK
    e->next = t->row[row_of(key)];
    t->row[row_of(key)] = e;
    return 0;
}

int table_set(struct table *t, const char *key, const char *value)
{
    for (struct entry *e = t->row[row_of(key)]; e; e = e->next)
        if (strcmp(e->key, key) == 0) {
            e->value = strdup(value); // LEAK value LIKELY because FIELD_FILLED
            return 0;
        }
    return table_add(t, key, value);
}

int table_replace(struct table *t, const char *key, const char *value)
{
    for (struct entry *e = t->row[row_of(key)]; e; e = e->next)
        if (strcmp(e->key, key) == 0) {
            free(e->value);
            e->value = strdup(value); // OK
            return 0;
        }
    return -1;
}

// No entry is born with one: it may be the first.
int table_origin(struct table *t, const char *key, const char *origin)
{
    for (struct entry *e = t->row[row_of(key)]; e; e = e->next)
        if (strcmp(e->key, key) == 0) {
            e->origin = strdup(origin); // OK
            return 0;
        }
    return -1;
}

void table_clear(struct table *t)
{
    for (int i = 0; i < ROWS; i++) {
        struct entry *next;
        for (struct entry *e = t->row[i]; e; e = next) {
            next = e->next;
            free(e->key);
            free(e->value);
            free(e->origin);
            free(e);
        }
        t->row[i] = NULL;
    }
}

// Only the end releases it, and leaves null: it may be filled once.
struct effect {
    float *samples;
    int count;
};

struct chain {
    struct effect *effect;
};

int effect_start(struct chain *c, int count)
{
    struct effect *e = c->effect;
    if (e->count > 0)
        count = e->count;
    e->samples = calloc(count, sizeof *e->samples); // OK
    return e->samples ? 0 : -1;
}

void effect_stop(struct chain *c)
{
    struct effect *e = c->effect;
    free(e->samples);
    e->samples = NULL;
}

// Reset at several places, so it is filled more than once.
struct term {
    char *value, *lang;
    int state;
};

struct parser {
    struct term *term;
};

static void term_reset(struct term *t)
{
    free(t->lang);
    t->lang = NULL;
    t->state = 0;
}

void map_begins(struct parser *p)
{
    term_reset(p->term);
}

void map_ends(struct parser *p)
{
    term_reset(p->term);
}

void text(struct parser *p, const char *s)
{
    struct term *t = p->term;
    if (t->state == 2)
        t->lang = strdup(s); // LEAK lang LIKELY because FIELD_FILLED
}

static struct entry *table_find(struct table *t, const char *key)
{
    for (struct entry *e = t->row[row_of(key)]; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}

// By a function, and on two branches.
void table_switch(struct table *t, const char *key, int on)
{
    struct entry *e = table_find(t, key);
    if (!e || e->key[0] == '.')
        return;
    if (on)
        e->value = strdup("on"); // LEAK on LIKELY because FIELD_FILLED
    else
        e->value = strdup("off"); // LEAK off LIKELY because FIELD_FILLED
}

// Released before on the way to either.
void table_toggle(struct table *t, const char *key, int on)
{
    struct entry *e = table_find(t, key);
    if (!e || e->key[0] == '.')
        return;
    if (e->value)
        free(e->value);
    if (on)
        e->value = strdup("yes"); // OK
    else
        e->value = strdup("no"); // OK
}
