// Blocks that are there or not, in a long function: where its paths meet they are too many to be kept
// apart. One path for each block goes on alone, and shows what becomes of it.
#include <stdlib.h>
#include <string.h>

struct options {
    const char *a, *b, *c, *d, *e, *f;
};

int ask(const char *s);
void tell(int n);

static char *copy(const char *s)
{
    char *p = strdup(s); // LEAK third
    if (!p) abort();
    return p;
}

#define TWICE(x) x x
#define MANY(x) TWICE(TWICE(TWICE(TWICE(x))))

int one_is_forgotten(const struct options *o, int n)
{
    int sum = n;
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL;
    MANY(sum += ask("first");)
    if (o->a) a = copy(o->a);
    if (o->b) b = copy(o->b);
    if (o->c) c = copy(o->c); // LEAK third
    if (o->d) d = copy(o->d);
    if (o->e) e = copy(o->e);
    if (o->f) f = copy(o->f);
    MANY(sum += ask("then");)
    if (sum > 100) {
        free(a);
        free(b);
        free(d);
        free(e);
        free(f);
        return -1; // LOST third
    }
    MANY(sum += ask("last");)
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
    tell(sum);
    return sum;
}

int none_is_forgotten(const struct options *o, int n)
{
    int sum = n;
    char *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL, *f = NULL;
    MANY(sum += ask("first");)
    if (o->a) a = copy(o->a);
    if (o->b) b = copy(o->b);
    if (o->c) c = copy(o->c);
    if (o->d) d = copy(o->d);
    if (o->e) e = copy(o->e);
    if (o->f) f = copy(o->f);
    MANY(sum += ask("then");)
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
    tell(sum);
    return sum;
}
