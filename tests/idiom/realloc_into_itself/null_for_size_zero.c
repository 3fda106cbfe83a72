// A realloc of the program's own that takes null as an answer only when it asked for nothing: then
// the block is gone, not lost; every other null ends the program.
#include <stdlib.h>
#include <string.h>

static void *must_realloc(void *p, size_t n)
{
    void *r = realloc(p, n);
    if (!r && (!p || n)) abort();
    return r;
}

static void *may_realloc(void *p, size_t n)
{
    void *r = realloc(p, n);
    if (!r && !p) abort();
    return r;
}

// The new size is not known to be above 0.
static void *grow(void *p, size_t *room, size_t more)
{
    *room += more;
    return must_realloc(p, *room);
}

char *letters(const char *s, size_t more)
{
    char *text = NULL;
    size_t used = 0, room = 0;
    for (; *s; s++) {
        if (used == room) text = grow(text, &room, more); // OK
        text[used++] = *s;
    }
    return text;
}

int grown_and_freed(size_t n)
{
    char *text = malloc(16); // OK
    if (!text) return -1;
    text = must_realloc(text, n); // OK
    free(text);
    return 0;
}

int grown_or_lost(size_t n)
{
    char *text = malloc(16); // LEAK old
    if (!text) return -1;
    text = may_realloc(text, n); // LOST old
    free(text);
    return 0;
}
