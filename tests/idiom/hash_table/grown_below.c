// A table whose slots move to a larger array, three calls below the one that adds. Where paths are
// joined it is no longer known that the old array was freed; every caller must hear of that.
#include <stdlib.h>

struct node {
    void *data;
    struct node *next;
};

struct table {
    struct node *slots, *end;
    size_t room, used;
    struct node *spare;
};

static size_t place(const void *p, size_t n)
{
    return (size_t)p / 16 % n;
}

static struct node *node_new(struct table *t)
{
    struct node *n = t->spare;
    if (n)
        t->spare = n->next;
    else
        n = malloc(sizeof *n);
    return n;
}

static void node_drop(struct table *t, struct node *n)
{
    n->data = NULL;
    n->next = t->spare;
    t->spare = n;
}

static int move_all(struct table *to, struct table *from)
{
    for (struct node *slot = from->slots; slot < from->end; slot++) {
        if (!slot->data) continue;
        struct node *next;
        for (struct node *n = slot->next; n; n = next) {
            struct node *there = to->slots + place(n->data, to->room);
            next = n->next;
            if (there->data) {
                n->next = there->next;
                there->next = n;
            } else {
                there->data = n->data;
                to->used++;
                node_drop(to, n);
            }
        }
        void *data = slot->data;
        slot->next = NULL;
        struct node *there = to->slots + place(data, to->room);
        if (there->data) {
            struct node *n = node_new(to);
            if (!n) return 0;
            n->data = data;
            n->next = there->next;
            there->next = n;
        } else {
            there->data = data;
            to->used++;
        }
        slot->data = NULL;
        from->used--;
    }
    return 1;
}

static int table_grow(struct table *t, size_t room)
{
    if (room == t->room) return 1;
    struct table larger;
    larger.slots = calloc(room, sizeof *larger.slots);
    if (!larger.slots) return 0;
    larger.end = larger.slots + room;
    larger.room = room;
    larger.used = 0;
    larger.spare = t->spare;
    if (!move_all(&larger, t)) abort();
    free(t->slots);
    *t = larger;
    return 1;
}

static int table_put(struct table *t, void *data)
{
    struct node *slot = t->slots + place(data, t->room);
    if (slot->data) {
        if (t->used * 4 > t->room * 3 && !table_grow(t, t->room * 2)) return -1;
        slot = t->slots + place(data, t->room);
        if (slot->data) {
            struct node *n = node_new(t);
            if (!n) return -1;
            n->data = data;
            n->next = slot->next;
            slot->next = n;
            return 1;
        }
    }
    slot->data = data;
    t->used++;
    return 1;
}

static int table_add(struct table *t, void *data)
{
    return table_put(t, data) >= 0;
}

static struct table *table_new(size_t room)
{
    struct table *t = malloc(sizeof *t);
    if (!t) return NULL;
    t->slots = calloc(room, sizeof *t->slots);
    if (!t->slots) {
        free(t);
        return NULL;
    }
    t->end = t->slots + room;
    t->room = room;
    t->used = 0;
    t->spare = NULL;
    return t;
}

struct table *one_of_them(char *name, size_t room)
{
    struct table *t = table_new(room); // OK
    if (!t) return NULL;
    if (!table_add(t, name)) abort();
    return t;
}

void table_forgotten(size_t room)
{
    struct table *t = table_new(room); // LEAK t
    if (t) t->used = room;
} // LOST t
