// Each way of allocating has its own way of releasing.
#include <cstdlib>
#include <cstring>

void array_with_plain_delete() {
    int *a = new int[10];
    delete a; // MISMATCHED-FREE
}

void plain_with_array_delete() {
    int *a = new int;
    delete[] a; // MISMATCHED-FREE
}

void new_with_free() {
    int *a = new int;
    free(a); // MISMATCHED-FREE
}

void malloc_with_delete() {
    int *a = (int *)malloc(sizeof *a);
    delete a; // MISMATCHED-FREE
}

void strdup_with_delete(const char *s) {
    char *a = strdup(s);
    delete[] a; // MISMATCHED-FREE
}

void right_pairs(const char *s) {
    int *a = new int;     // OK
    int *b = new int[2];  // OK
    char *c = strdup(s);  // OK
    delete a;
    delete[] b;
    free(c);
}

void deleted_twice() {
    int *a = new int;
    delete a;
    delete a; // DOUBLE-FREE
}

int read_after_delete() {
    int *a = new int(3);
    delete a;
    return *a; // USE-AFTER-FREE
}
