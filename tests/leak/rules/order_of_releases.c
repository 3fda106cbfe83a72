// A block that is freed before what it holds is read from once more: that is a use after free, and
// what is read back is no leak. What nobody reads back is one.
#include <stdlib.h>
#include <string.h>

struct pair {
    char *first, *second;
};

void wrong_order(void) {
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        return;
    p->first = strdup("a");  // OK
    p->second = strdup("b"); // LEAK second
    free(p);                 // LOST second
    free(p->first);          // USE-AFTER-FREE
}

void still_held(const char *text) {
    char *copy = strdup(text); // OK
    struct pair *p = malloc(sizeof *p);
    if (p == NULL) {
        free(copy);
        return;
    }
    p->first = copy;
    free(p);
    free(p->first); // USE-AFTER-FREE
}

void release(char *text);

// What the other function does with it is not known: the replay says nothing about a leak.
void handed_on(void) {
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        return;
    p->first = strdup("a"); // OK
    free(p);
    release(p->first); // USE-AFTER-FREE
}

void right_order(void) {
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        return;
    p->first = strdup("a"); // OK
    free(p->first);
    free(p);
}
