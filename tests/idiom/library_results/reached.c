// A function without code changes only what it can reach.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct dev { int id; };

void lib_call(struct dev *d);
void other_lib(const char *s);
struct sess { struct dev *d; char *name; int owned; };
int reached(struct sess *s)
{
    char *p = NULL;
    if (s->owned) p = strdup("x"); // OK
    other_lib("hello");
    if (s->owned) free(p);
    return 0;
}
int reached_local(int own)
{
    struct sess s = {0};
    struct dev d = {0};
    s.owned = own;
    if (s.owned) s.name = strdup("x"); // OK
    lib_call(&d);
    if (s.owned) free(s.name);
    return 0;
}
int reached_block(int own)
{
    struct sess *s = calloc(1, sizeof *s); // OK
    if (!s) return -1;
    s->owned = own;
    if (s->owned) s->name = strdup("x"); // OK
    lib_call(NULL);
    if (s->owned) free(s->name);
    free(s);
    return 0;
}

static struct dev fallback;
int not_global(struct dev *d, const char *s)
{
    char *p = NULL;
    if (d == &fallback) return 0;
    p = strdup(s); // OK
    if (d == &fallback) return 1;
    free(p);
    return 0;
}
struct dev *pick(const char *s) { return s ? malloc(sizeof(struct dev)) : &fallback; }
void unpick(struct dev *d) { if (d != &fallback) free(d); }
int picked(const char *s)
{
    struct dev *d = pick(s);
    if (!d) return -1;
    unpick(d);
    return 0;
}

int handed_over(int own)
{
    struct dev *d = malloc(sizeof *d); // LEAK d
    if (!d) return -1;
    other_lib("x");
    if (own) return 0; // LOST d
    free(d);
    return 0;
}
