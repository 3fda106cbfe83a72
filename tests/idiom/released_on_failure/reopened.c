// A callee that releases its argument when it fails and hands it back when it succeeds, called
// through a wrapper: the caller knows which of the two happened by the result.
// run: --level=likely
#include <stdio.h>

static FILE *reopen(const char *path, const char *mode, FILE *f)
{
    FILE *g = freopen(path, mode, f);
    if (g == NULL) perror(path);
    return g;
}

int closed_once(const char *path)
{
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL) return -1;
    f = reopen(path, "w", f);
    if (f == NULL) return -1;
    fclose(f);
    return 0;
}

int forgotten_when_it_succeeds(const char *path)
{
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK kept
    if (f == NULL) return -1;
    if (reopen(path, "w", f) == NULL) return -1;
    return 0; // LOST kept
}

int closed_again_when_it_fails(const char *path)
{
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL) return -1;
    if (reopen(path, "w", f) == NULL) {
        fclose(f); // DOUBLE-FREE
        return -1;
    }
    fclose(f);
    return 0;
}
