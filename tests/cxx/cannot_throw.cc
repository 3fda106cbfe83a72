// Exceptions that cannot be thrown there, and those that can.
// run: --level=likely -- -std=c++20
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

struct item {
    int value = 0;
    char *name = nullptr;
};

// Throws only for negative numbers.
static int checked(int n) {
    if (n < 0) throw std::out_of_range("negative");
    return n;
}

int never_negative(unsigned char n) {
    item *i = new item; // OK
    int r = checked(n);
    delete i;
    return r;
}

int constant_argument(int n) {
    item *i = new item; // OK
    int r = checked(3) + n;
    delete i;
    return r;
}

int tested_before(int n) {
    if (n < 0) return 0;
    item *i = new item; // OK
    int r = checked(n);
    delete i;
    return r;
}

int tested_too_weakly(int n) { // n=-1
    if (n < -5) return 0;
    item *i = new item; // LEAK weak
    int r = checked(n);
    delete i;
    return r;
}

struct buffer {
    char *begin, *at, *end;
    void put(char c) {
        if (at == end) throw std::length_error("full");
        *at++ = c;
    }
    void text(const char *s) {
        while (*s) put(*s++);
    }
};

int large_enough(int n) {
    char *room = new char[16]; // OK
    buffer b{room, room, room + 16};
    b.put('a');
    b.put('b');
    int r = room[0] + n;
    delete[] room;
    return r;
}

int too_small(int n) {
    char *room = new char[1]; // LEAK small
    buffer b{room, room, room + 1};
    b.put('a');
    b.put('b');
    int r = room[0] + n;
    delete[] room;
    return r;
}

int reserved_vector(int n) {
    std::vector<int> v;
    v.reserve(4);
    item *i = new item; // OK
    v.push_back(n);
    int r = v[0];
    delete i;
    return r;
}

int at_inside(int n) {
    std::array<int, 4> a{1, 2, 3, n};
    item *i = new item; // OK
    int r = a.at(2);
    delete i;
    return r;
}

int vector_at_behind_size(int n) {
    std::vector<int> v(5, n);
    item *i = new item; // OK
    int sum = 0;
    for (size_t k = 0; k < v.size(); k++)
        sum += v.at(k);
    delete i;
    return sum;
}

int handler_for_the_only_throw(int n) { // n=-1
    item *i = new item; // OK
    int r = 0;
    try {
        r = checked(n);
    } catch (const std::exception &) {
        r = -1;
    }
    delete i;
    return r;
}

int nothrow_tested(int n) {
    item *i = new (std::nothrow) item; // OK
    if (!i) return -1;
    item *k = new (std::nothrow) item; // OK
    if (!k) {
        delete i;
        return -1;
    }
    int r = i->value + k->value + n;
    delete i;
    delete k;
    return r;
}

int nothrow_forgets_the_first(int n) { // asan: none (there is memory)
    item *i = new (std::nothrow) item; // LEAK first
    if (!i) return -1;
    item *k = new (std::nothrow) item; // OK
    if (!k) return -1;
    int r = i->value + k->value + n;
    delete i;
    delete k;
    return r;
}

static int sum_of(std::span<const int> s) noexcept { return std::accumulate(s.begin(), s.end(), 0); }

int span_of_an_array(int n) {
    int *a = new int[4]{1, 2, 3, n}; // OK
    int r = sum_of({a, 4});
    delete[] a;
    return r;
}

int span_of_an_array_forgotten(int n) {
    int *a = new int[4]{1, 2, 3, n}; // LEAK span
    return sum_of({a, 4});
}

int numbers_to_text(int n) {
    char *a = new char[20]; // OK
    auto r = std::to_chars(a, a + 20, n);
    int k = r.ec == std::errc() ? a[0] : 0;
    delete[] a;
    return k;
}

int printed(int n) {
    char *a = static_cast<char *>(malloc(32)); // OK
    if (!a) return 0;
    snprintf(a, 32, "%d", n);
    std::string_view v(a);
    int r = static_cast<int>(v.size());
    free(a);
    return r;
}

struct reader {
    FILE *f = nullptr;
    explicit reader(const char *path) : f(fopen(path, "r")) { // OK
        if (!f) throw std::runtime_error("cannot open");
    }
    ~reader() { fclose(f); }
};

int read_one(const char *path) {
    reader r(path);
    return fgetc(r.f);
}

struct two_readers {
    FILE *a, *b;
    two_readers(const char *x, const char *y) : a(fopen(x, "r")), b(nullptr) { // RESOURCE-LEAK a
        b = fopen(y, "r");
        if (!b) throw std::runtime_error("cannot open");
    }
    ~two_readers() {
        if (a) fclose(a);
        if (b) fclose(b);
    }
};

int read_two(const char *path) { // asan: none
    two_readers r(path, path);
    return r.a ? fgetc(r.a) : 0;
}

// Functions of the library that do not throw for these arguments.
int substring(const std::string &s) {
    item *i = new item; // OK
    std::string t = s.substr(0);
    int r = static_cast<int>(t.size());
    delete i;
    return r;
}

int number_of_text(const char *s) { // asan: leak
    item *i = new item; // LEAK number
    int r = std::stoi(s);
    delete i;
    return r;
}

struct holder {
    std::vector<item *> all;
    ~holder() {
        for (item *i : all) delete i;
    }
    item *make() {
        auto p = std::make_unique<item>(); // OK
        all.push_back(p.get());
        return p.release();
    }
    item *make_reserved() {
        all.reserve(all.size() + 1);
        item *i = new item; // OK
        all.push_back(i);
        return i;
    }
};

int made_by_a_holder(int n) {
    holder h;
    h.make()->value = n;
    h.make_reserved()->value = n;
    return h.all[0]->value;
}
