// Deleters: what a smart pointer calls must fit what it was given.
#include <cstdio>
#include <cstdlib>
#include <memory>

struct item {
    int value = 0;
    ~item() { value = -1; }
};

struct close_file {
    void operator()(FILE *f) const { fclose(f); }
};

struct call_free {
    void operator()(void *p) const { free(p); }
};

struct no_delete {
    void operator()(item *) const {}
};

int file_closed_by_a_functor() {
    std::unique_ptr<FILE, close_file> f(fopen("/dev/null", "r")); // OK
    return f ? fgetc(f.get()) : -1;
}

int file_closed_by_a_function() {
    std::unique_ptr<FILE, int (*)(FILE *)> f(fopen("/dev/null", "r"), fclose); // OK
    return f ? fgetc(f.get()) : -1;
}

int file_taken_out() { // asan: none, the C library still has it
    std::unique_ptr<FILE, close_file> f(fopen("/dev/null", "r")); // RESOURCE-LEAK file
    FILE *raw = f.release();
    return raw ? fgetc(raw) : -1;
}

int freed_by_a_functor(int n) {
    std::unique_ptr<char, call_free> p(static_cast<char *>(malloc(10))); // OK
    if (!p) return -1;
    *p = static_cast<char>(n);
    return *p;
}

void malloc_under_delete() {
    std::unique_ptr<int> p(static_cast<int *>(malloc(sizeof(int))));
    if (p) *p = 1;
} // MISMATCHED-FREE

void array_under_delete() {
    std::unique_ptr<int> p(new int[4]);
    *p = 1;
} // MISMATCHED-FREE

void single_under_array_delete() {
    std::unique_ptr<int[]> p(new int(3));
    p[0] = 1;
} // MISMATCHED-FREE

void new_under_free() {
    std::unique_ptr<int, call_free> p(new int(3));
    *p = 1;
} // MISMATCHED-FREE

int deleter_does_nothing(int n) {
    std::unique_ptr<item, no_delete> p(new item); // LEAK nothing
    p->value = n;
    return p->value;
}

int deleter_does_nothing_to_a_local(int n) {
    item i;
    std::unique_ptr<item, no_delete> p(&i);
    p->value = n;
    return p->value;
}

int deleter_is_a_lambda(int n) {
    auto del = [](item *i) { delete i; };
    std::unique_ptr<item, decltype(del)> p(new item, del); // OK
    p->value = n;
    return p->value;
}

int shared_with_a_deleter() {
    std::shared_ptr<FILE> f(fopen("/dev/null", "r"), [](FILE *x) {
        if (x) fclose(x);
    }); // OK
    return f ? fgetc(f.get()) : -1;
}

void shared_over_an_array() { // asan: any
    std::shared_ptr<item> p(new item[3]);
    p->value = 1;
} // INVALID-FREE
