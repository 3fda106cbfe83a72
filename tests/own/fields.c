// A struct whose field owns what it points to, and one that does not.
#include <stdlib.h>
#include <string.h>

struct town {
    char label[20];
};

struct person {
    char *name; // owns
    struct town *home;
};

struct person *person_new(const char *name, struct town *home) {
    struct person *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->name = strdup(name);
    p->home = home;
    return p;
}

int rename_person(struct person *p, const char *name) {
    if (p->home == NULL)
        return -1;
    char *copy = strdup(name);
    if (!copy)
        return -1;
    free(p->name);
    p->name = copy;
    return 0;
}

void person_free(struct person *p) {
    free(p->name);
    free(p);
}

// Looks at the home only.
int person_forget(struct person *p) {
    int n = p->home->label[0];
    free(p); // FORGETS
    return n;
}

char *person_strip(struct person *p) {
    char *name = p->name;
    free(p);
    return name;
}

void person_clear(struct person *p) {
    free(p->name);
    p->name = NULL;
}
