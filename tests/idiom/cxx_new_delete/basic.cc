// new and delete: plain, arrays, nothrow, on early returns.
#include <cstring>
#include <new>

struct point {
    int x, y;
};

int early(int);

int deleted() {
    point *p = new point; // OK
    int r = early(p->x = 1);
    delete p;
    return r;
}

int forgotten_on_the_early_return(int n) {
    point *p = new point; // LEAK early
    p->x = n;
    if (early(n) < 0)
        return -1; // LOST early
    delete p;
    return 0;
}

int array_deleted(int n) {
    int *a = new int[n]; // OK
    a[0] = 1;
    int r = a[0];
    delete[] a;
    return r;
}

int array_forgotten(int n) {
    int *a = new int[n]; // LEAK array
    a[0] = 1;
    return a[0]; // LOST array
}

int nothrow_tested() {
    char *p = new (std::nothrow) char[100]; // OK
    if (p == nullptr)
        return -1;
    p[0] = 0;
    delete[] p;
    return 0;
}

int nothrow_forgotten(int n) {
    char *p = new (std::nothrow) char[100]; // LEAK nothrow
    if (p == nullptr)
        return -1;
    if (n > 100)
        return -2; // LOST nothrow
    delete[] p;
    return 0;
}

void placed_in_a_buffer() {
    alignas(point) char room[sizeof(point)];
    point *p = new (room) point;
    p->x = 3;
}

point *returned(int x) {
    point *p = new point; // OK
    p->x = x;
    return p;
}

void overwritten() {
    point *p = new point; // LEAK over
    p = new point;        // LOST over
    delete p;
}
