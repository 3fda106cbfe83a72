// Two units: the store owns its values, and says by its result whether it took one.
#include "store.h"
#include <stdlib.h>
#include <string.h>

#define ROOM 8

struct store {
    char *name;
    char *values[ROOM];
    int count;
};

struct store *store_open(const char *name) {
    struct store *s = calloc(1, sizeof *s); // LEAK store
    if (s == NULL)
        return NULL;
    s->name = strdup(name); // ALSO name
    if (s->name == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

int store_put(struct store *s, char *value) {
    if (s->count == ROOM)
        return -1;
    s->values[s->count++] = value;
    return 0;
}

void store_close(struct store *s) {
    if (s == NULL)
        return;
    for (int i = 0; i < s->count; i++)
        free(s->values[i]);
    free(s->name);
    free(s);
}
