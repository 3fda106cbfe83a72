// A result that the caller may not want: nowhere to store it means it must be freed.
#include <stdlib.h>
#include <string.h>

int lost_when_nobody_wants_it(const char *s, char **sig, size_t *len) {
    char *p = strdup(s); // LEAK unwanted
    if (p == NULL)
        return -1;
    *len = strlen(p);
    if (sig != NULL)
        *sig = p;
    return 0; // LOST unwanted
}

int freed_when_nobody_wants_it(const char *s, char **sig, size_t *len) {
    char *p = strdup(s); // OK
    if (p == NULL)
        return -1;
    *len = strlen(p);
    if (sig != NULL)
        *sig = p;
    else
        free(p);
    return 0;
}

int handed_out_at_the_end(const char *s, char **out) {
    char *p = strdup(s); // OK
    int r = -1;
    if (p == NULL)
        goto done;
    if (p[0] == 0)
        goto done;
    if (out != NULL) {
        *out = p;
        p = NULL;
    }
    r = 0;
done:
    free(p);
    return r;
}

int wanted_is_checked_by_the_caller(const char *s) {
    char *sig = NULL;
    size_t n;
    if (freed_when_nobody_wants_it(s, &sig, &n) < 0)
        return -1;
    free(sig);
    return freed_when_nobody_wants_it(s, NULL, &n);
}
