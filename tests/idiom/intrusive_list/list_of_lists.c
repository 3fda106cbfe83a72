// Lists of devices that hang on one another, each emptied from its head: taking a node out changes the head by way
// of the node's own back pointer.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

struct device {
    struct link link;
    char *name, *label;
};

struct devices {
    struct link all;
    struct devices *seed;
};

static void take_out(struct link *l)
{
    l->next->prev = l->prev;
    l->prev->next = l->next;
    l->next = l;
    l->prev = l;
}

int close_all(struct devices *d)
{
again:
    if (!d) return 0;
    while (d->all.next != &d->all) {
        struct device *first = (struct device *)((char *)d->all.next - offsetof(struct device, link));
        take_out(&first->link);
        free(first->name);
        free(first->label);
        free(first);
    }
    struct devices *seed = d->seed;
    d->seed = NULL;
    if (seed) {
        struct devices *before = d;
        d = seed;
        free(before);
        goto again;
    }
    free(d);
    return 1;
}

int close_twice(struct devices *d)
{
    for (; d; d = d->seed)
        while (d->all.next != &d->all) {
            struct device *first = (struct device *)((char *)d->all.next - offsetof(struct device, link));
            take_out(&first->link);
            free(first->name);
            free(first->name); // MISSED DOUBLE-FREE: told for the audit, since nodes of a list are met again in our eyes
            free(first);
        }
    return 1;
}
