// Recurrences: what a loop has allocated follows from its counters in closed form.
#include <stdlib.h>

void freed_as_often_as_allocated(int n) {
    int **a = malloc(n * sizeof *a); // OK
    int count = 0;
    if (a == NULL)
        return;
    while (count < n) {
        a[count] = malloc(4); // OK
        count++;
    }
    while (count > 0) {
        count--;
        free(a[count]);
    }
    free(a);
}

void every_second_one_left(void) {
    int *a[10];
    for (int i = 0; i < 10; i++)
        a[i] = malloc(4); // LEAK odd
    for (int i = 0; i < 10; i += 2)
        free(a[i]);
} // LOST odd

void freed_in_two_halves(void) {
    int *a[10];
    for (int i = 0; i < 10; i++)
        a[i] = malloc(4); // OK
    for (int i = 0; i < 5; i++)
        free(a[i]);
    for (int i = 5; i < 10; i++)
        free(a[i]);
}

void grown_by_doubling(int n) {
    int size = 1;
    char *p = malloc(size); // OK
    while (p != NULL && size < n) {
        size *= 2;
        char *q = realloc(p, size); // OK
        if (q == NULL)
            break;
        p = q;
    }
    free(p);
}
