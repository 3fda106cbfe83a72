// A kind that is handed down two levels and masked: its only caller gives one that is known. More
// kinds are told apart than one range leaves out.
#include <stdlib.h>

struct object {
    void *data;
    int kind;
    struct object *next;
};

struct card {
    struct object *first;
};

static int add(struct card *c, int kind, void *data)
{
    struct object *o = calloc(1, sizeof *o); // OK
    if (!o) {
        free(data);
        return -1;
    }
    o->data = data;
    o->kind = kind;
    switch (kind & 0xf00) {
    case 0x100:
    case 0x200:
    case 0x400:
    case 0x600:
        break;
    default:
        free(o);
        return -1;
    }
    o->next = c->first;
    c->first = o;
    return 0;
}

static int add_certificate(struct card *c, int kind, int value)
{
    int *number = malloc(sizeof *number); // OK
    if (!number) return -1;
    *number = value;
    return add(c, kind, number);
}

static int add_key(struct card *c, int kind, int value)
{
    int *key = malloc(sizeof *key); // LEAK key
    if (!key) return -1;
    *key = value;
    return add(c, kind, key); // LOST key
}

int read_card(struct card *c, int value)
{
    return add_certificate(c, 0x401, value) + add_key(c, 0x100, value) + add_key(c, 0x701, value);
}
