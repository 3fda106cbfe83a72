// A table of lists: what was put into it is moved when it is grown.
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    unsigned hash;
    char name[16];
};

struct map {
    struct entry **table;
    unsigned size, used;
};

static void rehash(struct map *m, unsigned size) {
    struct entry **old = m->table;
    unsigned old_size = m->size;
    m->table = calloc(size, sizeof *m->table);
    if (m->table == NULL)
        abort();
    m->size = size;
    for (unsigned i = 0; i < old_size; i++) {
        struct entry *e = old[i];
        while (e != NULL) {
            struct entry *next = e->next;
            unsigned b = e->hash & (m->size - 1);
            e->next = m->table[b];
            m->table[b] = e;
            e = next;
        }
    }
    free(old);
}

void map_add(struct map *m, struct entry *e) {
    unsigned b = e->hash & (m->size - 1);
    e->next = m->table[b];
    m->table[b] = e;
    m->used++;
    if (m->used > m->size * 8 / 10)
        rehash(m, m->size << 2);
}

int kept_by_the_map(struct map *m, const char *name) {
    struct entry *e = calloc(1, sizeof *e); // OK
    if (e == NULL)
        return -1;
    strncpy(e->name, name, sizeof e->name - 1);
    map_add(m, e);
    return 0;
}

int forgotten_before(struct map *m, const char *name) {
    struct entry *e = calloc(1, sizeof *e); // LEAK entry
    if (e == NULL)
        return -1;
    if (*name == 0)
        return -1; // LOST entry
    strncpy(e->name, name, sizeof e->name - 1);
    map_add(m, e);
    return 0;
}
