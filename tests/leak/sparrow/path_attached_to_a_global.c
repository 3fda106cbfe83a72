// Section 3: attached to a global on one path only; the other path leaks.
#include <stdlib.h>

int *gp;

void attached_when_n(int n) {
    int *p = malloc(4); // LEAK p
    if (n)
        gp = p;
} // LOST p; WHEN: !n

void attached_or_freed(int n) {
    int *p = malloc(4); // OK
    if (n)
        gp = p;
    else
        free(p);
}

static int attach_first(int *p) {
    if (gp != NULL)
        return 0;
    gp = p;
    return 1;
}

void freed_when_the_place_was_taken(void) {
    int *p = malloc(4); // OK
    if (!attach_first(p))
        free(p);
}

void forgotten_when_the_place_was_taken(void) {
    int *p = malloc(4); // LEAK q
    attach_first(p);
} // LOST q
