// A list in a struct is made with the struct. A function that adds to a list refuses one that is not there, to be
// on the safe side: that loses nothing which a process loses. Where the program itself asks, it may be missing.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct queue {
    void *first;
};
struct phone {
    struct queue *handlers;
    int kind;
};

int push(struct queue *q, void *item)
{
    if (!q) return 0;
    q->first = item;
    return 1;
}

int add_handler(struct phone *p, const char *prefix)
{
    char *copy = strdup(prefix); // MISSED copy: for the sound mode, as no caller is seen without the list
    if (!copy) return 0;
    return push(p->handlers, copy); // LOST copy
}

int add_if_there(struct phone *p, const char *prefix)
{
    char *copy = strdup(prefix); // LEAK asked SURE
    if (!copy) return 0;
    if (!p->handlers) return 0; // LOST asked
    return push(p->handlers, copy);
}

int add_one_kind(struct phone *p, const char *prefix)
{
    char *copy = strdup(prefix); // LEAK kind SURE
    if (!copy) return 0;
    if (p->kind == 2) return 0; // LOST kind
    return push(p->handlers, copy); // LOST kind
}
