// What depends on callers that are not followed, and rests on a test of joined values too, is for the sound mode,
// but where it takes an allocation to fail.
#include <stdlib.h>
#include <string.h>

int next_number(void);

static char *descend(const char *text, int depth, int detached)
{
    int found = 0;
    for (int i = 0; i < depth; i++) {
        int n = next_number();
        if (n > found) found = n * 2;
    }
    char *p = strdup(text); // LEAK both AUDIT because CALLERS_AND_MORE
    if (!p) return NULL;
    if (detached && found == 7) return NULL; // LOST both
    if (depth > 0) free(descend(text, depth - 1, depth == 3));
    return p;
}

static char *count_down(const char *text, int depth, int detached)
{
    char *p = strdup(text); // LEAK one SURE because CALLERS_UNASKED
    if (!p) return NULL;
    if (detached) return NULL; // LOST one
    if (depth > 0) free(count_down(text, depth - 1, depth == 3));
    return p;
}

static char *run_short(const char *text, int depth, int detached)
{
    int found = 0;
    for (int i = 0; i < depth; i++) {
        int n = next_number();
        if (n > found) found = n * 2;
    }
    char *p = strdup(text); // LEAK short LIKELY MEMORY_SHORT because CALLERS_UNASKED
    if (!p) return NULL;
    if (detached && found == 7) {
        char *q = strdup(text);
        if (!q) return NULL; // LOST short
        free(q);
    }
    if (depth > 0) free(run_short(text, depth - 1, depth == 3));
    return p;
}

// Ordinary needs: a flag that is off when the program starts, a size that is not the greatest one.
static int quiet;

void set_quiet(int on)
{
    quiet = on;
}

static char *unless_quiet(const char *text, size_t size, int depth)
{
    int found = 0;
    for (int i = 0; i < depth; i++) {
        int n = next_number();
        if (n > found) found = n * 2;
    }
    if (size == (size_t)-1) return NULL;
    char *p = strdup(text); // LEAK ordinary LIKELY because MERGED_TEST
    if (!p) return NULL;
    if (!quiet && found == 7) return NULL; // LOST ordinary
    if (depth > 0) free(unless_quiet(text, size + 1, depth - 1));
    return p;
}

// Not so: somebody has to turn the flag on.
static char *if_asked(const char *text, int depth, int flags)
{
    int found = 0;
    for (int i = 0; i < depth; i++) {
        int n = next_number();
        if (n > found) found = n * 2;
    }
    char *p = strdup(text); // LEAK asked AUDIT because CALLERS_AND_MORE
    if (!p) return NULL;
    if (flags == 8 && found == 7) return NULL; // LOST asked
    if (depth > 0) free(if_asked(text, depth - 1, depth == 3 ? 8 : 0));
    return p;
}

char *outer(const char *text)
{
    free(count_down(text, 6, 0));
    free(run_short(text, 6, 0));
    free(unless_quiet(text, strlen(text), 4));
    free(if_asked(text, 4, 0));
    return descend(text, 5, 0);
}
