// A program that replaces operator new and delete by malloc and free. The library's other forms call
// the replaced ones, so that what new[] gives comes from malloc too. AddressSanitizer has other forms of its own,
// which do not.
#include <cstdlib>
#include <cstring>
#include <new>

void *operator new(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p) abort();
    return p;
}

void operator delete(void *p) noexcept { free(p); }

struct item {
    int value = 0;
};

void copy_by_array_delete() { // asan: any
    char *p = strdup("text"); // OK
    if (!p) return;
    p[0] = 'T';
    delete[] p;
}

void array_by_free(int n) { // asan: any
    char *p = new char[8]; // OK
    p[0] = static_cast<char>(n);
    free(p);
}

void sized_delete(int n) { // asan: any
    item *p = new item; // OK
    p->value = n;
    ::operator delete(p, sizeof *p);
}

int without_exceptions(int n) { // asan: any
    item *p = new (std::nothrow) item; // OK
    if (!p) return -1;
    p->value = n;
    int r = p->value;
    free(p);
    return r;
}

int array_forgotten(int n) {
    int *p = new int[4]; // LEAK array
    p[0] = n;
    return p[0];
}

void array_twice(int n) {
    int *p = new int[4];
    p[0] = n;
    delete[] p;
    delete[] p; // DOUBLE-FREE
}

int after_array_delete(int n) {
    int *p = new int[4];
    p[0] = n;
    delete[] p;
    return p[0]; // USE-AFTER-FREE
}
