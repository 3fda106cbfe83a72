// A setter gives back what the place held before, null where it was empty, and null too where there is no such place: who
// does not look at the answer knows that there is one. Whoever looks reckons with it.
#include <stdlib.h>
#include <string.h>

struct record {
    size_t count;
    char **fields;
};

static char *set_field(struct record *r, char *field, size_t at)
{
    if (at >= r->count) return NULL;
    char *old = r->fields[at];
    r->fields[at] = field;
    return old;
}

int name_it(struct record *r, const char *name)
{
    char *copy = strdup(name); // OK: a record of this type has four fields
    if (!copy) return -1;
    set_field(r, copy, 3);
    return 0;
}

static int store_field(struct record *r, char *field, size_t at)
{
    if (at >= r->count) return -1;
    r->fields[at] = field;
    return 0;
}

int name_it_if_there_is_room(struct record *r, const char *name)
{
    char *copy = strdup(name); // LEAK room SURE
    if (!copy) return -1;
    if (store_field(r, copy, 3) < 0) return -1; // LOST room
    return 0;
}
