// While the program leaves, its release does nothing: what stays then is meant to stay, in callers
// of callers too. A caller that is told must look.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int leaving, frozen;

void drop(void *p) {
    if (p != NULL && !leaving)
        free(p);
}

// Says whether it was done.
int dropped(void *p) {
    if (frozen)
        return -1;
    free(p);
    return 0;
}

struct entry {
    char *name, *value;
};

static void entry_clear(struct entry *e) {
    drop(e->name);
    drop(e->value);
    e->name = e->value = NULL;
}

int left_while_leaving(const char *s) {
    char *copy = strdup(s); // OK
    if (copy == NULL)
        return -1;
    puts(copy);
    drop(copy);
    return 0;
}

int cleared_while_leaving(const char *s) {
    struct entry e = {strdup(s), strdup(s)}; // OK
    if (e.name != NULL)
        puts(e.name);
    entry_clear(&e);
    return 0;
}

int forgotten_whatever_it_does(const char *s) {
    char *copy = strdup(s);  // LEAK copy
    char *other = strdup(s); // OK
    drop(other);
    if (copy == NULL)
        return -1;
    puts(copy);
    return 0; // LOST copy
}

int not_looked_at(const char *s) {
    char *copy = strdup(s); // LEAK kept LIKELY because RELEASE_PUT_OFF
    if (copy == NULL)
        return -1;
    dropped(copy);
    return 0; // LOST kept
}
