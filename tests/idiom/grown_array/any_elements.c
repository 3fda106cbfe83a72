// A list of elements of any size: what the caller's variable holds is copied into it.
#include <stdlib.h>
#include <string.h>

struct list {
    size_t size, room, count;
    char *items;
};

static char *item_at(struct list *l, size_t i) {
    return l->items + i * l->size;
}

static int list_set(struct list *l, void *item, size_t i) {
    if (i >= l->count)
        return 0;
    memcpy(item_at(l, i), item, l->size);
    return 1;
}

int list_add(struct list *l, void *item) {
    if (l->count == l->room) {
        char *grown = realloc(l->items, (l->room + 16) * l->size);
        if (grown == NULL)
            return 0;
        l->room += 16;
        l->items = grown;
    }
    l->count++;
    return list_set(l, item, l->count - 1);
}

int kept_in_the_list(struct list *l, const char *text) {
    char *copy = strdup(text); // OK
    if (copy == NULL)
        return -1;
    if (!list_add(l, &copy))
        free(copy);
    return 0;
}

int left_when_the_list_is_full(struct list *l, const char *text) {
    char *copy = strdup(text); // LEAK copy
    if (copy == NULL)
        return -1;
    if (!list_add(l, &copy))
        return -1; // LOST copy
    return 0;
}

// The size in a narrower field, and a place in the list that comes from another function.
struct array {
    void *data;
    unsigned size, used, room;
};

static void make_room(struct array *a, unsigned least) {
    if (a->room >= least)
        return;
    while (a->room < least)
        a->room = a->room ? 2 * a->room : 1;
    a->data = realloc(a->data, (size_t)a->room * a->size);
    if (a->data == NULL)
        abort();
}

static void *new_place(struct array *a) {
    a->used++;
    make_room(a, a->used);
    return (char *)a->data + (size_t)(a->used - 1) * a->size;
}

void append(struct array *a, const void *item) {
    void *place = new_place(a);
    memcpy(place, item, a->size);
}

void kept_in_the_array(struct array *a, const char *text) {
    char *copy = strdup(text); // OK
    append(a, &copy);
}

int only_its_length_is_kept(struct array *a, const char *text) {
    char *copy = strdup(text); // LEAK measured
    size_t length = copy ? strlen(copy) : 0;
    append(a, &length);
    return 0; // LOST measured
}

// Several at once, in a list that was empty or is grown.
struct several {
    void *items;
    int count, room;
    size_t size;
};

static void add_several(struct several *l, const void *items, int count) {
    if (!items || count == 0)
        return;
    if (l->count + count > l->room) {
        l->room = l->count + count;
        l->items = l->items ? realloc(l->items, (size_t)l->room * l->size) : malloc((size_t)l->room * l->size);
        if (l->items == NULL)
            abort();
    }
    memcpy((char *)l->items + (size_t)l->count * l->size, items, (size_t)count * l->size);
    l->count += count;
}

void kept_among_several(struct several *l, const char *text) {
    char *copy = strdup(text); // OK
    add_several(l, &copy, 1);
}

int not_among_several(struct several *l, const char *text) {
    char *copy = strdup(text); // LEAK unasked
    size_t length = copy ? strlen(copy) : 0;
    add_several(l, &length, 1);
    return 0; // LOST unasked
}
