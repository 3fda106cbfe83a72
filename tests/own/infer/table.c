// A hash table from strings to anything, as programs write it, and how it is used.
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *key;
    void *value;
    struct entry *next;
} entry;

typedef struct table {
    size_t size;
    entry **buckets;
} table;

static size_t hash(const char *s)
{
    size_t h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h;
}

table *table_new(size_t size)
{
    table *t = malloc(sizeof *t);
    if (!t) return NULL;
    t->size = size;
    t->buckets = calloc(size, sizeof *t->buckets);
    if (!t->buckets) {
        free(t);
        return NULL;
    }
    return t;
}

static entry *find(table *t, const char *key)
{
    for (entry *e = t->buckets[hash(key) % t->size]; e; e = e->next)
        if (strcmp(e->key, key) == 0) return e;
    return NULL;
}

int table_put(table *t, const char *key, void *value)
{
    entry *e = malloc(sizeof *e);
    if (!e) return -1;
    e->key = strdup(key);
    e->value = value;
    e->next = t->buckets[hash(key) % t->size];
    t->buckets[hash(key) % t->size] = e;
    return 0;
}

void *table_get(table *t, const char *key)
{
    entry *e = find(t, key);
    return e ? e->value : NULL;
}

void *table_remove(table *t, const char *key)
{
    entry **at = &t->buckets[hash(key) % t->size];
    while (*at && strcmp((*at)->key, key) != 0) at = &(*at)->next;
    entry *e = *at;
    if (!e) return NULL;
    void *value = e->value;
    *at = e->next;
    free(e->key);
    free(e);
    return value;
}

void table_free(table *t)
{
    for (size_t i = 0; i < t->size; i++)
        for (entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            free(e->key);
            free(e);
        }
    free(t->buckets);
    free(t);
}

size_t table_count(const table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->size; i++)
        for (entry *e = t->buckets[i]; e; e = e->next) n++;
    return n;
}

int remember(table *t, const char *name)
{
    char *copy = strdup(name);
    if (!copy) return -1;
    return table_put(t, name, copy);
}

void forget(table *t, const char *name)
{
    free(table_remove(t, name));
}

size_t length_of(table *t, const char *name)
{
    const char *text = table_get(t, name);
    return text ? strlen(text) : 0;
}
