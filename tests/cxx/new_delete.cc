// new, new[], malloc and their releases.
#include <cstdlib>
#include <cstring>

struct item {
    int value = 0;
    ~item() { value = -1; }
};

void array_by_plain_delete() {
    int *p = new int[4];
    p[0] = 1;
    delete p; // MISMATCHED-FREE
}

void single_by_array_delete() {
    int *p = new int(1);
    *p = 2;
    delete[] p; // MISMATCHED-FREE
}

void array_of_objects() {
    item *p = new item[3]; // OK
    p[0].value = 1;
    delete[] p;
}

void malloc_by_delete() {
    int *p = static_cast<int *>(malloc(sizeof *p));
    delete p; // MISMATCHED-FREE
}

void new_by_free() {
    int *p = new int(1);
    free(p); // MISMATCHED-FREE
}

void strdup_by_delete() {
    char *p = strdup("text");
    delete[] p; // MISMATCHED-FREE
}

int forgotten_on_one_way(int n) { // n=5
    int *p = new int(n); // LEAK way
    if (n > 3) return -1; // LOST way
    delete p;
    return 0;
}

int overwritten(int n) {
    int *p = new int(n); // LEAK over
    p = new int(n + 1);  // LOST over; OK
    int r = *p;
    delete p;
    return r;
}

void deleted_twice() {
    int *p = new int(1);
    delete p;
    delete p; // DOUBLE-FREE
}

int read_after_delete() {
    int *p = new int(1);
    delete p;
    return *p; // USE-AFTER-FREE
}

void null_deleted() {
    int *p = nullptr;
    delete p;
}

int matrix(int n) {
    int **rows = new int *[3]; // OK
    for (int i = 0; i < 3; i++)
        rows[i] = new int[4]; // OK
    rows[0][0] = n;
    int r = rows[0][0];
    for (int i = 0; i < 3; i++)
        delete[] rows[i];
    delete[] rows;
    return r;
}

int matrix_without_rows(int n) {
    int **rows = new int *[3]; // OK
    for (int i = 0; i < 3; i++)
        rows[i] = new int[4]; // LEAK rows
    rows[0][0] = n;
    delete[] rows;
    return n;
}

int reference_to_the_heap(int n) {
    int &r = *new int(n); // LEAK reference
    r++;
    return r;
}

int reference_deleted(int n) {
    int &r = *new int(n); // OK
    int k = r;
    delete &r;
    return k;
}

void local_deleted() { // asan: any
    item i;
    item *p = &i;
    delete p; // INVALID-FREE
}
