// A flag in the struct says whether the pointer beside it is owned.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct str {
    const char *text;
    bool owned;
};

static struct str borrow(const char *s) {
    return (struct str){s, false};
}

static struct str copy_of(const char *s) {
    return (struct str){strdup(s), true}; // LEAK owned
}

static void drop(struct str *s) {
    if (s->owned)
        free((char *)s->text);
    s->text = NULL;
}

void borrowed_dropped(const char *s) {
    struct str b = borrow(s);
    drop(&b);
}

void copy_dropped(const char *s) {
    struct str c = copy_of(s);
    drop(&c);
}

size_t copy_measured_only(const char *s) {
    struct str c = copy_of(s);           // LEAK owned
    return c.text ? strlen(c.text) : 0; // LOST owned
}

static char *lowered(char *s, bool in_place) {
    char *p = in_place ? s : strdup(s); // LEAK lowered
    if (p == NULL)
        return NULL;
    for (char *q = p; *q; q++)
        *q |= 0x20;
    return p;
}

int freed_when_a_copy(char *s, bool in_place) {
    char *p = lowered(s, in_place);
    int r = p != NULL ? p[0] : -1;
    if (!in_place)
        free(p);
    return r;
}

int forgotten_when_a_copy(char *s) {
    char *p = lowered(s, false);  // LEAK lowered
    return p != NULL ? p[0] : -1; // LOST lowered
}

int nothing_to_free_in_place(char *s) {
    char *p = lowered(s, true);
    return p != NULL ? p[0] : -1;
}
