// An array in the caller's struct that grows while it is filled: what its elements hold moves along.
#include <stdlib.h>
#include <string.h>

struct words {
    char **at;
    size_t len, room;
};

static int words_add(struct words *w, const char *text)
{
    if (w->len == w->room) {
        size_t room = w->room ? 2 * w->room : 8;
        char **at = realloc(w->at, room * sizeof *at);
        if (!at) return -1;
        w->at = at;
        w->room = room;
    }
    char *copy = strdup(text);
    if (!copy) return -1;
    w->at[w->len++] = copy;
    return 0;
}

int words_pair(struct words *w, const char *a, const char *b)
{
    if (words_add(w, a) < 0) return -1;
    return words_add(w, b);
}

int words_three(struct words *w, const char *a, const char *b)
{
    if (words_add(w, a) < 0) return -1;
    if (words_add(w, "=") < 0) return -1;
    return words_add(w, b);
}

static int words_add_few(struct words *w, const char *text, size_t most)
{
    char *copy = strdup(text); // LEAK refused
    if (!copy) return -1;
    if (w->len >= most || w->len >= w->room) return -1; // LOST refused
    w->at[w->len++] = copy;
    return 0;
}

int words_pair_few(struct words *w, const char *a, const char *b)
{
    return words_add_few(w, a, 10) < 0 ? -1 : words_add_few(w, b, 10);
}
