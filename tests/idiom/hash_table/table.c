// A chained hash table with string keys: insert, replace, remove, destroy.
#include <stdlib.h>
#include <string.h>

#define BUCKETS 16

struct entry {
    struct entry *next;
    char *key;
    void *value;
};

struct table {
    struct entry *bucket[BUCKETS];
};

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % BUCKETS;
}

struct table *table_new(void) {
    return calloc(1, sizeof(struct table)); // OK
}

int table_put(struct table *t, const char *key, void *value) {
    unsigned h = hash(key);
    for (struct entry *e = t->bucket[h]; e != NULL; e = e->next) {
        if (strcmp(e->key, key) == 0) {
            free(e->value);
            e->value = value;
            return 0;
        }
    }
    struct entry *e = malloc(sizeof *e); // OK
    if (e == NULL)
        return -1;
    e->key = strdup(key); // OK
    if (e->key == NULL) {
        free(e);
        return -1;
    }
    e->value = value;
    e->next = t->bucket[h];
    t->bucket[h] = e;
    return 0;
}

int table_put_losing_the_entry(struct table *t, const char *key, void *value) {
    unsigned h = hash(key);
    struct entry *e = malloc(sizeof *e); // LEAK entry
    if (e == NULL)
        return -1;
    e->key = strdup(key); // OK
    if (e->key == NULL)
        return -1; // LOST entry
    e->value = value;
    e->next = t->bucket[h];
    t->bucket[h] = e;
    return 0;
}

int table_remove(struct table *t, const char *key) {
    struct entry **link = &t->bucket[hash(key)];
    while (*link != NULL) {
        struct entry *e = *link;
        if (strcmp(e->key, key) == 0) {
            *link = e->next;
            free(e->key);
            free(e->value);
            free(e);
            return 1;
        }
        link = &e->next;
    }
    return 0;
}

void table_free(struct table *t) {
    if (t == NULL)
        return;
    for (int i = 0; i < BUCKETS; i++) {
        struct entry *e = t->bucket[i];
        while (e != NULL) {
            struct entry *next = e->next;
            free(e->key);
            free(e->value);
            free(e);
            e = next;
        }
    }
    free(t);
}

int filled_and_destroyed(const char *key) {
    struct table *t = table_new();
    if (t == NULL)
        return -1;
    char *v = strdup(key); // LEAK? filled LIKELY because OVER_BUDGET
    if (v != NULL && table_put(t, key, v) < 0) // ALSO put
        free(v);
    table_free(t);
    return 0;
}

int value_lost_when_put_fails(struct table *t, const char *key) {
    char *v = strdup(key); // LEAK value
    if (v == NULL)
        return -1;
    return table_put(t, key, v); // LOST value
}
