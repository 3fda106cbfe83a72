// Two arrays of strings made one: the elements of the second move behind those of the first, and
// only its array is freed.
#include <stdlib.h>
#include <string.h>

static char *must_copy(const char *s)
{
    char *p = malloc(strlen(s) + 1); // LEAK text
    if (!p) abort();
    return strcpy(p, s);
}

static char **pair(const char *a, const char *b)
{
    char **v = malloc(3 * sizeof *v);
    if (!v) abort();
    v[0] = must_copy(a);
    v[1] = must_copy(b);
    v[2] = NULL;
    return v;
}

static char **merged(char **first, char **second)
{
    int i = 0, j = 0;
    if (!first) return second;
    while (first[i]) i++;
    while (second[j]) j++;
    first = realloc(first, (i + j + 1) * sizeof *first);
    if (!first) abort();
    memcpy(first + i, second, (j + 1) * sizeof *first);
    free(second);
    return first;
}

void names_added(char ***names, const char *a, const char *b)
{
    *names = merged(*names, pair(a, b)); // OK
}

void names_dropped(const char *a, const char *b)
{
    char **v = pair(a, b); // LEAK text
    free(v);               // LOST text
}
