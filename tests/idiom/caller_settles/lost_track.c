// Where calls are not followed nothing is refuted: recursion, functions that unseen code can call,
// arguments behind `...`, code that nobody calls.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ---- Recursion: the inner call passes the flag that the outer one does not.

static char *descend(const char *text, int depth, int detached)
{
    char *p = strdup(text); // LEAK inner SURE because CALLERS_UNASKED
    if (!p) return NULL;
    if (detached) return NULL; // LOST inner
    if (depth > 0) free(descend(text, depth - 1, depth == 3));
    return p;
}

char *outer(const char *text)
{
    return descend(text, 5, 0);
}

// ---- Mutual recursion.

static char *odd(const char *text, int n, int lose);

static char *even(const char *text, int n, int lose)
{
    if (n == 0) return NULL;
    return odd(text, n - 1, lose + 1);
}

static char *odd(const char *text, int n, int lose)
{
    char *p = strdup(text); // LEAK third
    if (!p) return NULL;
    if (lose == 3) return NULL; // LOST third
    free(even(text, n - 1, lose));
    return p;
}

char *one_after_the_other(const char *text, int n)
{
    return even(text, n, 0);
}

// ---- Behind `...` the value is not seen.

static char *formatted(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int how = va_arg(args, int);
    va_end(args);
    char *p = strdup(format); // LEAK open
    if (p && how == 7) return NULL; // LOST open
    return p;
}

char *seventh(void)
{
    return formatted("x", 7);
}

// ---- A function that is handed to a library is called by others too.

static int by_length(const void *a, const void *b)
{
    char *p = malloc(8); // LEAK compared LIKELY because NULL_ARGUMENT
    if (!p) return 0;
    if (!a) return 0; // LOST compared
    int r = (int)strlen(a) - (int)strlen(b);
    free(p);
    return r;
}

void sorted(char **names, size_t n)
{
    qsort(names, n, sizeof *names, by_length);
    by_length("a", "b");
}

// ---- Nobody calls it.

static char *never_called(const char *text, int how)
{
    char *p = strdup(text); // LEAK uncalled
    if (p && how == 1) return NULL; // LOST uncalled
    return p;
}

char *(*volatile unused_one)(const char *, int) = never_called;
