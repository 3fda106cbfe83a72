// Pointers that share their place; counts beside them say which of them is there.
#include <stdlib.h>

struct node {
    char *name;
    union {
        unsigned address;
        unsigned *addresses;
        char *alias;
    } u;
    unsigned short alias_length;
    unsigned short address_count;
};

void released_by_its_counts(struct node *n) {
    if (n->name)
        free(n->name);
    if (n->alias_length)
        free(n->u.alias); // OK
    if (n->address_count > 1)
        free(n->u.addresses); // OK
    free(n);
}

void released_twice(struct node *n) {
    free(n->u.alias);
    free(n->u.alias); // DOUBLE-FREE
    free(n);
}

struct plain {
    char *name;
    unsigned short length;
};

void name_released_twice(struct plain *p) {
    if (p->length)
        free(p->name);
    if (p->length > 1)
        free(p->name); // DOUBLE-FREE
    free(p);
}
