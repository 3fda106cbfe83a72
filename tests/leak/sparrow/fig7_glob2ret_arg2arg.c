// Figure 7, Glob2Ret and Arg2Arg: a result that belongs to a global table, and a pointer passed
// from one argument to the other.
#include <stdlib.h>

typedef struct Entry {
    char *name;
} Entry;

static Entry entries[8];

static Entry *argPassing(int *from, int **to, int i) {
    *to = from;
    return &entries[i & 7];
}

void what_hangs_on_a_global_object_stays(void) {
    int *unused;
    Entry *e = argPassing(NULL, &unused, 3);
    e->name = malloc(16); // OK
}

void freed_through_the_second_argument(void) {
    int *a = malloc(4); // OK
    int *b;
    argPassing(a, &b, 1);
    a = NULL;
    free(b);
}

void freed_through_both_arguments(void) {
    int *a = malloc(4); // OK
    int *b;
    argPassing(a, &b, 1);
    free(b);
    free(a); // DOUBLE-FREE
}

void lost_although_passed_on(void) {
    int *a = malloc(4); // LEAK passed
    int *b;
    argPassing(a, &b, 1);
} // LOST passed
