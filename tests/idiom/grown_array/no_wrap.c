// A buffer with some room to begin with, doubled while it is full: its size is never 0, so that no
// realloc() gives it back.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

int step(char *at, size_t room);

char *doubled(size_t n, size_t *length)
{
    size_t room = n * 2 + 64, have = 0;
    char *b = malloc(room); // OK
    int got;
    if (b == NULL) return NULL;
    do {
        if (have == room) {
            char *more = realloc(b, room *= 2); // OK
            if (more == NULL) {
                free(b);
                return NULL;
            }
            b = more;
        }
        got = step(b + have, room - have);
        have += (size_t)got;
    } while (got > 0);
    *length = have;
    return b;
}

int none_left(size_t n)
{
    size_t room = n + 1;
    char *b = malloc(room); // OK
    if (b == NULL) return -1;
    if (room == 0) return -2;
    free(b);
    return 0;
}

char *not_given_back(size_t n)
{
    size_t room = n * 2 + 64;
    char *b = malloc(room); // LEAK b
    if (b == NULL) return NULL;
    return realloc(b, room * 2); // LOST b
}

// The same where a function of the program's own allocates.
static void *some(size_t n)
{
    return n ? malloc(n) : NULL;
}

struct head {
    size_t n;
    char text[56];
};

struct head *with_head(size_t n)
{
    struct head *h = some(sizeof *h + n); // OK
    if (h == NULL) return NULL;
    if (sizeof *h + n < sizeof *h) return NULL;
    h->n = n;
    return h;
}

struct head *with_large_head(size_t n)
{
    struct head *h = some(sizeof *h + n); // LEAK small
    if (h == NULL) return NULL;
    if (sizeof *h + n < sizeof *h + 2) return NULL; // LOST small
    h->n = n;
    return h;
}
