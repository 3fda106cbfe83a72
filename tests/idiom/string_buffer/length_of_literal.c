// A text with its length beside it, both made of a literal: its length is that of the literal, not what a path
// would like it to be. One that is made of an argument may be empty.
#include <stdlib.h>
#include <string.h>

struct text {
    size_t length;
    void *value;
};

static char *copy_of(const char *s)
{
    size_t size = strlen(s) + 1;
    char *copy = malloc(size);
    if (copy) {
        memcpy(copy, s, size);
        copy[size - 1] = '\0';
    }
    return copy;
}

static int set(struct text *t, const char *s)
{
    t->value = copy_of(s);
    if (!t->value) {
        t->length = 0;
        return -1;
    }
    t->length = strlen(t->value);
    return 0;
}

static void release(struct text *t)
{
    if (t->length == 0 || !t->value) return;
    free(t->value);
    t->length = 0;
    t->value = NULL;
}

void say_unknown(void)
{
    struct text t;
    if (set(&t, "Unknown error") < 0) return; // OK
    release(&t);
}

void say(const char *s)
{
    struct text t;
    if (set(&t, s) < 0) return; // LEAK empty
    release(&t);
} // LOST empty
