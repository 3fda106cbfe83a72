// Paths that a program which works does not take: they write beyond a block or by a pointer that was never
// set.
// run: --level=likely
#include <stdlib.h>

int written_beyond_its_end(size_t n)
{
    char *p = malloc(n); // OK
    if (!p) return -1;
    if (n == 0) {
        p[0] = 1;
        return 1;
    }
    free(p);
    return 0;
}

struct view {
    char *at;
};

static void set(struct view *v, char *at)
{
    v->at = at;
}

int by_a_pointer_never_set(int n, char *buffer)
{
    struct view v;
    char *p = malloc(4); // OK
    if (!p) return -1;
    if (n > 3) set(&v, buffer);
    if (n <= 3) {
        *v.at = 0;
        return 1;
    }
    *v.at = 1;
    free(p);
    return 0;
}

int on_a_possible_path(int n, char *buffer)
{
    char *q = buffer, *p = malloc(4); // LEAK possible
    if (!p) return -1;
    if (n <= 3) {
        *q = 0;
        return 1; // LOST possible
    }
    free(p);
    return 0;
}
