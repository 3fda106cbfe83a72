// Caches in globals: made at first use, replaced, dropped.
#include <stdlib.h>
#include <string.h>

static char *home;
static char **names;
static size_t names_n, names_room;

static struct {
    char *key;
    char *value;
} last;

extern char *compute(const char *key);
extern const char *find_home(void);

const char *home_dir(void) {
    if (home == NULL)
        home = strdup(find_home()); // OK
    return home;
}

void forget_home(void) {
    free(home);
    home = NULL;
}

int remember(const char *name) {
    if (names_n == names_room) {
        size_t room = names_room ? 2 * names_room : 16;
        char **v = realloc(names, room * sizeof *v); // OK
        if (v == NULL)
            return -1;
        names = v;
        names_room = room;
    }
    names[names_n] = strdup(name); // OK
    if (names[names_n] == NULL)
        return -1;
    names_n++;
    return 0;
}

int remember_unless_known(const char *name) {
    char *copy = strdup(name); // LEAK known
    if (copy == NULL)
        return -1;
    for (size_t i = 0; i < names_n; i++) {
        if (strcmp(names[i], copy) == 0)
            return 0; // LOST known
    }
    if (names_n == names_room) {
        free(copy);
        return -1;
    }
    names[names_n++] = copy;
    return 1;
}

void refresh_twice(const char *key) {
    last.key = strdup(key); // LEAK stale
    if (last.key != NULL && last.key[0] == '/')
        last.key = strdup(key + 1); // LOST stale
}

void refresh(const char *key) {
    char *copy = strdup(key); // OK
    if (copy == NULL)
        return;
    free(last.key);
    last.key = copy;
}
