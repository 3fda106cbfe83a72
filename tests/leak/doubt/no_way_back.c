// A call of a function in which every path ends, here at a null pointer: what comes after it may
// never happen.
// run: --level=likely
#include <stdlib.h>

struct node {
    struct node *next;
    char *data;
};

static char *follows_null(void) {
    struct node *n = NULL;
    return n->data;
}

void lost_behind(void) {
    char *s = follows_null();
    char *p = malloc(8); // LEAK behind LIKELY because NO_WAY_BACK
    if (p != NULL)
        *p = *s;
} // LOST behind

void lost_before(int n) {
    char *p = malloc(8); // LEAK before
    if (n > 3)
        return; // LOST before
    free(p);
    follows_null();
}
