// Figure 4, Arg2Glob and Glob2Arg: attachGlob hands one argument to a global, and gives the
// caller a way into another global.
#include <stdlib.h>

int *table;
int *cell;

static void attachGlob(int *p1, int ***p2) {
    table = p1;
    *p2 = &cell;
}

void all_become_reachable_from_globals(void) {
    int *p1 = malloc(4); // OK
    int **p2;
    attachGlob(p1, &p2);
    *p2 = malloc(4); // OK
}

static void attachOnlyFirst(int *p1, int *p2) {
    table = p1;
    (void)p2;
}

void the_second_is_attached_to_nothing(void) {
    int *p1 = malloc(4); // OK
    int *p2 = malloc(4); // LEAK second
    attachOnlyFirst(p1, p2);
} // LOST second
