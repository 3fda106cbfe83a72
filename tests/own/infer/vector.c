// A growing array of pointers, an allocator that does not fail, a constructor and its destructor,
// and library functions that nobody has described.
#include <stdlib.h>
#include <string.h>

struct vec {
    void **items;
    size_t len, cap;
};

void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) abort();
    return p;
}

struct vec *vec_new(void)
{
    struct vec *v = xmalloc(sizeof *v);
    v->items = NULL;
    v->len = v->cap = 0;
    return v;
}

void vec_push(struct vec *v, void *item)
{
    if (v->len == v->cap) {
        v->cap = v->cap ? 2 * v->cap : 8;
        v->items = realloc(v->items, v->cap * sizeof *v->items);
    }
    v->items[v->len++] = item;
}

void *vec_pop(struct vec *v)
{
    return v->len ? v->items[--v->len] : NULL;
}

void vec_free_all(struct vec *v, void (*drop)(void *))
{
    for (size_t i = 0; i < v->len; i++) drop(v->items[i]);
    free(v->items);
    free(v);
}

struct person {
    char *name;
    int age;
};

struct person *person_new(const char *name)
{
    struct person *p = xmalloc(sizeof *p);
    p->name = strdup(name);
    p->age = 0;
    return p;
}

void person_free(struct person *p)
{
    if (!p) return;
    free(p->name);
    free(p);
}

void outside_borrows(char *text);
void outside_takes(char *text);

void use(struct vec *v)
{
    vec_push(v, xmalloc(16));
    free(vec_pop(v));
    char *a = xmalloc(4), *b = xmalloc(4);
    outside_borrows(a);
    outside_borrows(b);
    free(a);
    free(b);
    outside_takes(xmalloc(8));
}
