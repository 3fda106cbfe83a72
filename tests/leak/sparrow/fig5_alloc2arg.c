// Figure 5, Alloc2Arg: makeArray leaves an allocation in what its argument points to.
#include <stdlib.h>

static void makeArray(int **p) {
    *p = malloc(10 * sizeof **p); // LEAK array
}

void the_array_is_forgotten(void) {
    int *a;
    makeArray(&a);
} // LOST array

static void makeArrayAgain(int **p) {
    *p = malloc(10 * sizeof **p); // OK
}

void the_array_is_freed(void) {
    int *a;
    makeArrayAgain(&a);
    free(a);
}

void the_array_goes_to_the_caller(int **out) {
    makeArrayAgain(out);
}

static void makeArrayThird(int **p) {
    *p = malloc(10 * sizeof **p); // LEAK over
}

void the_first_array_is_overwritten(void) {
    int *a;
    makeArrayThird(&a);
    a = NULL; // LOST over
    makeArrayAgain(&a);
    free(a);
}
