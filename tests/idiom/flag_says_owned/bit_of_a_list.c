// A list that copies its strings when a bit in it says so. Unknown code has the list for a while,
// and leaves the bit as it was.
#include <stdlib.h>
#include <string.h>

struct list {
    char **items;
    size_t count, room;
    unsigned copies : 1;
};

int for_each_name(int (*f)(const char *name, void *data), void *data);
int remove_all(struct list *l);

static char *copy_of(const char *s)
{
    char *p = strdup(s);
    if (p == NULL)
        abort();
    return p;
}

static void put(struct list *l, char *s)
{
    if (l->count == l->room) {
        l->room = (l->room + 16) * 3 / 2;
        l->items = realloc(l->items, l->room * sizeof *l->items);
        if (l->items == NULL)
            abort();
    }
    l->items[l->count++] = s;
}

void append(struct list *l, const char *s)
{
    put(l, l->copies ? copy_of(s) : (char *)s);
}

void clear(struct list *l)
{
    if (l->items && l->copies)
        for (size_t i = 0; i < l->count; i++)
            free(l->items[i]);
    free(l->items);
    l->items = NULL;
    l->count = l->room = 0;
}

static int mark(const char *name, void *data)
{
    put(data, copy_of(name));
    return 0;
}

int told_to_own_them_in_the_end(void)
{
    struct list l = {0};
    for_each_name(mark, &l);
    append(&l, copy_of("HEAD")); // OK
    int result = remove_all(&l);
    l.copies = 1;
    clear(&l);
    return result;
}

void copied_once_more(void)
{
    struct list l = {.copies = 1};
    char *name = copy_of("HEAD"); // LEAK copied
    append(&l, name);
    clear(&l);
} // LOST copied
