// run: --level=likely
// A table that refuses a second entry of the same name, and says so. Who does not look at the
// answer has looked for the entry before.
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    const char *name;
    void *value;
};

struct table {
    struct entry **chains;
    unsigned size, count;
};

static unsigned place(const struct table *t, const char *name)
{
    unsigned h = 0;
    while (*name) h = h * 31 + (unsigned char)*name++;
    return h % t->size;
}

static struct entry *find(const struct table *t, const char *name)
{
    struct entry *e;
    for (e = t->chains[place(t, name)]; e; e = e->next)
        if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

static int add(struct table *t, const char *name, void *value)
{
    struct entry *e;
    unsigned at = place(t, name);
    for (e = t->chains[at]; e; e = e->next)
        if (e->name == name || strcmp(e->name, name) == 0) return 0;
    e = malloc(sizeof *e);
    if (!e) abort();
    e->name = name;
    e->value = value;
    e->next = t->chains[at];
    t->chains[at] = e;
    t->count++;
    return 1;
}

int *counter_of(struct table *t, const char *name)
{
    struct entry *e = find(t, name);
    if (!e) {
        int *counter = malloc(sizeof *counter); // OK
        if (!counter) return NULL;
        *counter = 0;
        add(t, name, counter);
        return NULL;
    }
    return e->value;
}

int counted(struct table *t, const char *name)
{
    int *counter = malloc(sizeof *counter); // LEAK counter
    if (!counter) return 0;
    *counter = 0;
    if (!add(t, name, counter)) return 0;
    return 1;
}
