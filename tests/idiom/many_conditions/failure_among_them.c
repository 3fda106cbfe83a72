// A path of more conditions than are told: the call that fails is among those that are, and nothing
// is told twice.
#include <stdlib.h>
#include <string.h>

struct object { int type; char *text; };
struct cache { struct object **items; int number; };
struct context { struct cache *strings; };

static struct object *wrap(char *text)
{
    struct object *o = malloc(sizeof *o); // OK
    if (o == NULL)
        return NULL;
    o->type = 1;
    o->text = text;
    return o;
}

static struct object *wrap_or_reuse(struct context *c, char *text)
{
    if (c != NULL && c->strings != NULL && c->strings->number != 0) {
        struct object *o = c->strings->items[--c->strings->number];
        o->text = text;
        return o;
    }
    return wrap(text);
}

struct object *lost_when_there_is_no_wrapper(struct context *c, const char *s)
{
    char *text = strdup(s); // LEAK text
    if (text == NULL)
        return NULL;
    if (c == NULL || c->strings == NULL || c->strings->number != 0) {
        free(text);
        return NULL;
    }
    return wrap_or_reuse(c, text); // LOST text; WHEN: malloc() fails
}

struct object *freed_when_there_is_no_wrapper(struct context *c, const char *s)
{
    char *text = strdup(s); // OK
    if (text == NULL)
        return NULL;
    struct object *o = wrap_or_reuse(c, text);
    if (o == NULL)
        free(text);
    return o;
}
