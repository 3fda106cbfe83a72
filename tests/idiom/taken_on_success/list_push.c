// A container that takes the element only when it succeeds.
#include <stdlib.h>
#include <string.h>

struct list {
    void **items;
    int count, room;
};

static int list_push(struct list *l, void *item) {
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 8;
        void **items = realloc(l->items, room * sizeof *items); // OK
        if (items == NULL)
            return -1;
        l->items = items;
        l->room = room;
    }
    l->items[l->count++] = item;
    return 0;
}

int element_lost_when_the_push_fails(struct list *l, const char *s) {
    char *copy = strdup(s); // LEAK copy
    if (copy == NULL)
        return -1;
    if (list_push(l, copy) < 0)
        return -1; // LOST copy
    return 0;
}

int element_freed_when_the_push_fails(struct list *l, const char *s) {
    char *copy = strdup(s); // OK
    if (copy == NULL)
        return -1;
    if (list_push(l, copy) < 0) {
        free(copy);
        return -1;
    }
    return 0;
}

void result_ignored(struct list *l, const char *s) {
    char *copy = strdup(s); // LEAK ignored
    if (copy != NULL)
        list_push(l, copy); // LOST ignored
} // LOST ignored

int freed_only_when_refused(struct list *l, const char *s) {
    char *copy = strdup(s); // OK
    if (copy == NULL)
        return -1;
    int r = list_push(l, copy);
    if (r < 0)
        free(copy);
    return r;
}
