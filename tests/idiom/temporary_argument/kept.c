// A copy that goes straight into a function of another file: nobody else could free it. One that
// has a name is another matter.
#include <stdlib.h>
#include <string.h>

struct list;
int list_append(struct list *l, const char *text);
int list_find(struct list *l, const char *text);

void appended(struct list *l, const char *a, const char *b)
{
    list_append(l, strdup(a));
    list_append(l, strdup(b));
}

int looked_up(struct list *l, const char *a)
{
    char *copy = strdup(a); // LEAK named
    if (!copy) return -1;
    for (char *c = copy; *c; c++)
        if (*c == '-') *c = '_';
    return list_find(l, copy); // LOST named
}
