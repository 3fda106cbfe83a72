// Table III, arrays: of pointers, grown, and two-dimensional; each leaking and clean.
#include <stdlib.h>

void array_1_one_slot_forgotten(void) {
    char *a[3];
    a[0] = malloc(1); // OK
    a[1] = malloc(2); // LEAK slot
    a[2] = malloc(3); // OK
    free(a[0]);
    free(a[2]);
} // LOST slot

void array_1_clean(void) {
    char *a[3];
    a[0] = malloc(1); // OK
    a[1] = malloc(2); // OK
    a[2] = malloc(3); // OK
    for (int i = 0; i < 3; i++)
        free(a[i]);
}

void array_2_slot_overwritten(void) {
    char *a[2];
    a[0] = malloc(1); // LEAK over
    a[1] = malloc(2); // OK
    a[0] = a[1];      // LOST over
    free(a[0]);
}

void array_2_slots_swapped(void) {
    char *a[2];
    a[0] = malloc(1); // OK
    a[1] = malloc(2); // OK
    char *t = a[0];
    a[0] = a[1];
    a[1] = t;
    free(a[0]);
    free(a[1]);
}

int array_3_rows_forgotten(int n, int m) {
    int **a = malloc(n * sizeof *a); // OK
    if (a == NULL)
        return -1;
    for (int i = 0; i < n; i++)
        a[i] = malloc(m * sizeof **a); // LEAK row
    free(a);                           // LOST row
    return 0;
}

int array_3_clean(int n, int m) {
    int **a = malloc(n * sizeof *a); // OK
    if (a == NULL)
        return -1;
    for (int i = 0; i < n; i++)
        a[i] = malloc(m * sizeof **a); // OK
    for (int i = 0; i < n; i++)
        free(a[i]);
    free(a);
    return 0;
}
