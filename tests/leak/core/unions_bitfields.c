// Unions and bit fields: members share bytes; a neighbour's bits do not disturb a pointer.
#include <stdlib.h>
#include <string.h>

union value {
    char *text;
    void *any;
    long number;
};

struct item {
    unsigned kind : 3;
    unsigned owned : 1;
    union value value;
};

void freed_through_the_other_member(void) {
    union value v;
    v.text = malloc(4); // OK
    free(v.any);
}

void overwritten_through_the_other_member(void) {
    union value v;
    v.text = malloc(4); // LEAK shared
    v.number = 3;       // LOST shared
    (void)v;
}

static void item_clear(struct item *i) {
    if (i->owned)
        free(i->value.text);
}

void owned_bit_says_free(void) {
    struct item i = {0};
    i.value.text = malloc(4); // OK
    i.owned = 1;
    i.kind = 5;
    item_clear(&i);
}

void bit_not_set(void) {
    struct item i = {0};
    i.value.text = malloc(4); // LEAK unset
    i.kind = 5;
    item_clear(&i);
} // LOST unset

enum { NUMBER, TEXT };

static void tagged_clear(struct item *i) {
    if (i->kind == TEXT)
        free(i->value.text);
}

void tag_says_text(const char *s) {
    struct item i = {0};
    i.kind = TEXT;
    i.value.text = strdup(s); // OK
    tagged_clear(&i);
}

void tag_changed_before_the_free(const char *s) {
    struct item i = {0};
    i.kind = TEXT;
    i.value.text = strdup(s); // LEAK retagged
    i.kind = NUMBER;
    tagged_clear(&i);
} // LOST retagged
