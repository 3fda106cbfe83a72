// A callee that frees only under a condition, with a null test of its own: that it does nothing
// on two of its paths must not be taken for "it may do nothing" whatever the condition is.
#include <stdlib.h>

static int keep_it;

static void dropped_unless_kept(char *p) {
    if (keep_it)
        return;
    if (p != NULL)
        free(p);
}

void not_kept(void) {
    char *p = malloc(10); // OK
    if (p == NULL)
        exit(1);
    keep_it = 0;
    dropped_unless_kept(p);
}

void kept_by_nobody(void) {
    char *p = malloc(10); // LEAK kept
    if (p == NULL)
        exit(1);
    keep_it = 1;
    dropped_unless_kept(p);
} // LOST kept

// Zero lies between the two ranges in which nothing is done.
static void dropped_at_zero(char *p, int n) {
    if (n < 0)
        return;
    if (n > 0)
        return;
    free(p);
}

void at_zero(void) {
    char *p = malloc(10); // OK
    dropped_at_zero(p, 0);
}

void elsewhere(void) {
    char *p = malloc(10); // LEAK elsewhere
    dropped_at_zero(p, 3);
} // LOST elsewhere

static int both(int a, int b) {
    if (!a)
        return 0;
    if (!b)
        return 0;
    return 1;
}

void freed_when_both(int a, int b) {
    char *p = malloc(10); // OK
    if (both(a, b)) {
        free(p);
        p = NULL;
    }
    if (!both(a, b))
        free(p);
}
