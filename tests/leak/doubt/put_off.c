// What depends on callers that are not followed is for the sound mode where its release was only put off: that an allocation
// fails on the way explains nothing of that.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

static int frozen;

void freeze(int on)
{
    frozen = on;
}

static int dropped(void *p)
{
    if (frozen) return -1;
    free(p);
    return 0;
}

static char *put_off(const char *text, int depth, int detached)
{
    char *p = strdup(text); // MISSED off: for the sound mode
    if (!p) return NULL;
    if (detached) {
        char *q = strdup(text);
        if (!q) {
            dropped(p);
            return NULL;
        }
        free(q);
    }
    if (depth > 0) free(put_off(text, depth - 1, depth == 3));
    return p;
}

static char *forgotten(const char *text, int depth, int detached)
{
    char *p = strdup(text); // LEAK left SURE MEMORY_SHORT
    if (!p) return NULL;
    if (detached) {
        char *q = strdup(text);
        if (!q) return NULL; // LOST left
        free(q);
    }
    if (depth > 0) free(forgotten(text, depth - 1, depth == 3));
    return p;
}

char *outer(const char *text)
{
    free(put_off(text, 6, 0));
    return forgotten(text, 6, 0);
}
