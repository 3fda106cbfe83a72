// A function that empties a struct which its caller owns and forgets a field that nobody in the program
// releases.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct table {
    int *next, *check, *base;
    char *name;
    size_t used;
};

int table_build(struct table *t, size_t n)
{
    t->next = calloc(n, sizeof(int));  // OK
    t->check = calloc(n, sizeof(int)); // OK
    t->base = calloc(n, sizeof(int));  // OK
    t->used = n;
    return t->next && t->check && t->base;
}

int table_add(struct table *t, int at)
{
    t->check = realloc(t->check, (t->used + 1) * sizeof(int));
    t->check[t->used] = at;
    return t->base[t->used++ - 1];
}

void table_clear(struct table *t)
{
    free(t->next);
    free(t->base); // LEAK check LIKELY because FIELD_FILLED
}

// Released one at a time by whoever has no need of it any more.
struct page {
    char *head, *body, *foot;
};

int page_fill(struct page *p, const char *text)
{
    p->head = strdup(text); // OK
    p->body = strdup(text); // OK
    p->foot = strdup(text); // OK
    return p->head && p->body && p->foot;
}

void page_sent(struct page *p)
{
    free(p->head);
    p->head = NULL;
}

void page_clear(struct page *p)
{
    free(p->body);
    free(p->foot);
}

// Filled anew, not emptied; and what is only borrowed.
struct entry {
    char *key, *value, *origin;
    const char *file;
};

int entry_set(struct entry *e, const char *key, const char *value)
{
    free(e->key);
    free(e->value);
    e->key = strdup(key);     // OK
    e->value = strdup(value); // OK
    return e->key && e->value;
}

void entry_from(struct entry *e, const char *file)
{
    e->file = file;
    free(e->origin);
    e->origin = strdup(file); // OK
}

void entry_clear(struct entry *e)
{
    free(e->key);
    free(e->value);
    free(e->origin);
}
