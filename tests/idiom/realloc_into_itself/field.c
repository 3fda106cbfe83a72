// A field of the caller's that is overwritten by the null of a realloc: the block that it held is
// lost, whoever made it.
// run: --level=likely --impact=memory-short
#include <stdlib.h>
#include <string.h>

struct vec {
    int *data;
    size_t len, room;
};

int pushed_losing(struct vec *v, int x)
{
    if (v->len == v->room) {
        v->room = v->room ? v->room * 2 : 8;
        v->data = realloc(v->data, v->room * sizeof *v->data); // LEAK data LIKELY because CALLERS_BLOCK; LOST data
        if (!v->data)
            return -1;
    }
    v->data[v->len++] = x;
    return 0;
}

int pushed(struct vec *v, int x)
{
    if (v->len == v->room) {
        size_t room = v->room ? v->room * 2 : 8;
        int *data = realloc(v->data, room * sizeof *data); // OK
        if (!data)
            return -1;
        v->data = data;
        v->room = room;
    }
    v->data[v->len++] = x;
    return 0;
}

int put_back(struct vec *v, size_t room)
{
    int *old = v->data;
    v->data = realloc(v->data, room * sizeof *old); // OK
    if (!v->data) {
        v->data = old;
        return -1;
    }
    return 0;
}

int freed_after_all(struct vec *v, size_t room)
{
    int *old = v->data;
    v->data = realloc(old, room * sizeof *old); // OK
    if (!v->data)
        free(old);
    return v->data ? 0 : -1;
}

static char *names;
static size_t used;

int in_a_variable(const char *s)
{
    names = realloc(names, used + strlen(s) + 1); // LEAK names LIKELY; LOST names
    if (!names)
        return -1;
    strcpy(names + used, s);
    used += strlen(s) + 1;
    return 0;
}

int there_was_none(struct vec *v)
{
    if (v->data)
        return 0;
    v->data = realloc(v->data, 80); // OK
    return v->data ? 0 : -1;
}

void *checked(void *p, size_t n)
{
    void *q = realloc(p, n); // OK
    if (!q)
        abort();
    return q;
}

void grown_or_ended(struct vec *v, size_t room)
{
    v->data = checked(v->data, room * sizeof *v->data);
}
