// memcpy of no bytes from null: a function that replaces a part of a text is called to take it out.
// The paths behind go on.
#include <stdlib.h>
#include <string.h>

struct text {
    char *at;
    size_t len, room;
};

static void replace(struct text *t, size_t pos, size_t len, const char *by, size_t bytes)
{
    if (pos + len > t->len || t->len + bytes - len > t->room)
        abort();
    memmove(t->at + pos + bytes, t->at + pos + len, t->len - pos - len);
    memcpy(t->at + pos, by, bytes);
    t->len += bytes - len;
}

static void take_out(struct text *t, size_t pos, size_t len)
{
    replace(t, pos, len, NULL, 0);
}

int lost_behind(struct text *t, const char *name)
{
    char *copy = strdup(name); // LEAK copy
    if (!copy)
        return -1;
    take_out(t, 0, 3);
    if (t->len == 0)
        return 1; // LOST copy
    free(copy);
    return 0;
}

int freed_behind(struct text *t, const char *name)
{
    char *copy = strdup(name); // OK
    if (!copy)
        return -1;
    take_out(t, 0, 3);
    replace(t, 0, 0, copy, strlen(copy));
    free(copy);
    return 0;
}
