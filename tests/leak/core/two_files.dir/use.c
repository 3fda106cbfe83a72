#include "store.h"
#include <stdlib.h>
#include <string.h>

int closed(const char *name, const char *value) {
    struct store *s = store_open(name);
    if (s == NULL)
        return -1;
    char *copy = strdup(value); // OK
    if (copy != NULL && store_put(s, copy) < 0)
        free(copy);
    store_close(s);
    return 0;
}

int not_closed_on_error(const char *name, const char *value) {
    struct store *s = store_open(name); // LEAK store
    if (s == NULL)
        return -1;
    if (value == NULL)
        return -1; // LOST store; LOST name
    store_close(s);
    return 0;
}

int value_lost_when_the_store_is_full(struct store *s, const char *value) {
    char *copy = strdup(value); // LEAK copy
    if (copy == NULL)
        return -1;
    return store_put(s, copy); // LOST copy
}
