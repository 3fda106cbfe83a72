// Functions in the old style: no prototypes, parameters declared below, implicit int.
// run: -- -std=gnu89
#include <stdlib.h>
#include <string.h>

extern int check_name();

static char *
save(s, n)
    const char *s;
    int n;
{
    char *p = malloc(n + 1); // LEAK group
    if (p == NULL)
        abort();
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}

int
name_lost_on_error(arg, n)
    const char *arg;
    int n;
{
    char *g = save(arg, n); // LEAK group
    if (check_name(n) == 0)
        return -1; // LOST group
    free(g);
    return 0;
}

int
name_freed_on_error(arg, n)
    const char *arg;
    int n;
{
    char *g = save(arg, n);
    int r = check_name(n) == 0 ? -1 : 0;
    free(g);
    return r;
}
