// A pointer to a literal or to a copy: freed by a second pointer or a test, or not at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char *login(void);
extern void tell(const char *);

void never_freed(void) {
    const char *name = login();
    const char *whom = name != NULL ? strdup(name) : "somebody"; // LEAK whom
    if (whom != NULL)
        tell(whom);
} // LOST whom

void freed_by_a_second_pointer(void) {
    const char *name = login();
    char *copy = NULL;
    const char *whom = "somebody";
    if (name != NULL)
        whom = copy = strdup(name); // OK
    if (whom != NULL)
        tell(whom);
    free(copy);
}

void parameter_overwritten(const char *path) {
    if (path[0] != '/') {
        char *full = malloc(strlen(path) + 2); // LEAK full
        if (full == NULL)
            return;
        sprintf(full, "/%s", path);
        path = full;
    }
    tell(path);
} // LOST full

void parameter_overwritten_and_freed(const char *path) {
    char *to_free = NULL;
    if (path[0] != '/') {
        to_free = malloc(strlen(path) + 2); // OK
        if (to_free == NULL)
            return;
        sprintf(to_free, "/%s", path);
        path = to_free;
    }
    tell(path);
    free(to_free);
}

void built_from_its_own_value(const char *s) {
    char *name = strdup(s); // LEAK own
    if (name == NULL)
        return;
    size_t n = strlen(name) + 2;
    char *quoted = malloc(n); // OK
    if (quoted == NULL) {
        free(name);
        return;
    }
    snprintf(quoted, n, "'%s", name);
    name = quoted; // LOST own
    tell(name);
    free(name);
}
