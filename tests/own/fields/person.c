// A struct whose field owns what it points to, and one that does not. Nothing is wrong here, and the
// sound mode says nothing.
#include <stdlib.h>
#include <string.h>

struct town {
    char label[20];
};

struct person {
    char *name; // owns
    struct town *home;
};

struct person *person_new(const char *name, struct town *home)
{
    struct person *p = malloc(sizeof *p); // OK
    if (!p) return NULL;
    p->name = strdup(name); // OK
    p->home = home;
    return p;
}

int rename_person(struct person *p, const char *name)
{
    if (p->home == NULL) return -1;
    char *copy = strdup(name); // OK
    if (!copy) return -1;
    free(p->name);
    p->name = copy;
    return 0;
}

// An ordinary store into an owning field is a transfer.
void person_take_name(struct person *p, char *name)
{
    free(p->name);
    p->name = name;
}

void person_count_name(struct person *p)
{
    char *s = malloc(20); // OK
    if (!s) return;
    strcpy(s, "one of many");
    person_take_name(p, s);
}

void person_free(struct person *p)
{
    free(p->name);
    free(p);
}

void person_free_if_any(struct person *p)
{
    if (!p) return;
    if (p->name) {
        free(p->name);
        p->name = NULL;
    }
    free(p);
}

char *person_strip(struct person *p)
{
    char *name = p->name;
    free(p);
    return name;
}

void person_clear(struct person *p)
{
    free(p->name);
    p->name = NULL;
}
