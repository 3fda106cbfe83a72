// A struct that was looked at is there, wherever the link stands in it by which it was found.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
};

struct kind {
    long name[6];
    struct link link;
    unsigned long flags;
};

static struct kind *first_of_kind(struct link *head, unsigned long flags)
{
    for (struct link *l = head->next; l != head; l = l->next) {
        struct kind *k = (struct kind *)((char *)l - offsetof(struct kind, link));
        if (k->flags & flags) return k;
    }
    return NULL;
}

int reserve(struct link *head, unsigned long size)
{
    char *room = malloc(size); // LEAK room LIKELY because UNDECIDED
    if (!room) return -1;
    if (!first_of_kind(head, 4)) return -2; // LOST room
    free(room);
    return 0;
}

int flags_of_first(struct link *head, unsigned long size)
{
    char *copy = malloc(size); // OK
    if (!copy) return -1;
    struct kind *k = (struct kind *)((char *)head->next - offsetof(struct kind, link));
    copy[0] = (char)k->flags;
    if (!k) return -1;
    int flags = copy[0];
    free(copy);
    return flags;
}
