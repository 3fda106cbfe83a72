// Copies, moves and destructors of one's own.
// run: --level=likely
#include <cstring>
#include <utility>

struct shallow {
    int *data;
    shallow() : data(new int[4]) {}
    ~shallow() { delete[] data; }
};

void copied_without_a_copy_constructor() { // asan: double-free
    shallow a;
    shallow b = a;
} // DOUBLE-FREE

void assigned_without_an_operator() { // asan: double-free
    shallow a;
    shallow b; // LEAK assigned
    b = a;     // LOST assigned
} // DOUBLE-FREE

struct deep {
    int *data;
    deep() : data(new int[4]) {}              // OK
    deep(const deep &o) : data(new int[4]) {  // OK
        memcpy(data, o.data, 4 * sizeof(int));
    }
    deep &operator=(const deep &o) {
        if (this != &o) memcpy(data, o.data, 4 * sizeof(int));
        return *this;
    }
    ~deep() { delete[] data; }
};

void copied_deeply() {
    deep a;
    deep b = a;
    b = a;
}

struct movable {
    int *data;
    movable() : data(new int[4]) {} // OK
    movable(movable &&o) noexcept : data(o.data) { o.data = nullptr; }
    movable &operator=(movable &&o) noexcept {
        if (this != &o) {
            delete[] data;
            data = o.data;
            o.data = nullptr;
        }
        return *this;
    }
    ~movable() { delete[] data; }
};

void moved() {
    movable a;
    movable b = std::move(a);
    movable c;
    c = std::move(b);
}

struct moves_badly {
    int *data;
    moves_badly() : data(new int[4]) {}
    moves_badly &operator=(moves_badly &&o) noexcept {
        data = o.data;
        o.data = nullptr;
        return *this;
    }
    ~moves_badly() { delete[] data; }
};

void move_assignment_forgets() { // asan: leak
    moves_badly a, b; // LEAK badly
    a = std::move(b); // LOST badly
}

struct assigns_badly {
    char *text;
    assigns_badly(const char *s) : text(new char[strlen(s) + 1]) { strcpy(text, s); }
    assigns_badly &operator=(const assigns_badly &o) {
        text = new char[strlen(o.text) + 1]; // OK
        strcpy(text, o.text);
        return *this;
    }
    ~assigns_badly() { delete[] text; }
};

void assignment_forgets() { // asan: leak
    assigns_badly a("one"), b("two"); // LEAK assigns
    a = b;                            // LOST assigns
}

struct swapping {
    char *text;
    swapping(const char *s) : text(new char[strlen(s) + 1]) { strcpy(text, s); } // OK
    swapping(const swapping &o) : swapping(o.text) {}
    swapping &operator=(swapping o) {
        std::swap(text, o.text);
        return *this;
    }
    ~swapping() { delete[] text; }
};

void copied_and_swapped() {
    swapping a("one"), b("two");
    a = b;
}

struct setter {
    int *data = nullptr;
    void set(int n) {
        data = new int(n); // LEAK setter
    }
    ~setter() {}
};

void destructor_does_not_release() { // asan: leak
    setter s;
    s.set(1);
}

struct resetter {
    int *data = nullptr;
    void set(int n) {
        delete data;
        data = new int(n); // OK
    }
    ~resetter() { delete data; }
};

void destructor_releases() {
    resetter s;
    s.set(1);
    s.set(2);
}

struct set_twice {
    int *data = nullptr;
    void set(int n) {
        data = new int(n); // LEAK again
    }
    ~set_twice() { delete data; }
};

void setter_called_twice() { // asan: leak
    set_twice s;
    s.set(1);
    s.set(2);
}

static deep make() {
    deep d;
    return d;
}

void elided() {
    deep d = make();
    deep e = deep();
    e = make();
}

static void by_value(shallow s) {
    s.data[0] = 1;
}

void passed_by_value_without_a_copy_constructor() { // asan: double-free
    shallow s;
    by_value(s);
} // DOUBLE-FREE

struct owner_flag {
    int *data;
    bool owns;
    owner_flag(int *d, bool o) : data(d), owns(o) {}
    ~owner_flag() {
        if (owns) delete data;
    }
};

int flag_says_no(int n) {
    int k = n;
    owner_flag f(&k, false);
    return *f.data;
}

int flag_says_yes(int n) {
    owner_flag f(new int(n), true); // OK
    return *f.data;
}

int flag_says_no_of_the_heap(int n) {
    owner_flag f(new int(n), false); // LEAK flag
    return *f.data;
}

class floats {
    float *ptr = nullptr;

  public:
    floats() = default;
    floats(floats &&other) : ptr(other.ptr) { other.ptr = nullptr; }
    floats(const floats &) = delete;
    ~floats() { delete[] ptr; }
    void resize(unsigned n) {
        delete[] ptr;
        ptr = new float[n]; // OK
    }
};

struct many_members {
    char *names[70];
    floats kept;
    many_members(floats f) : kept(std::move(f)) {
        for (int i = 0; i < 4; i++)
            names[i] = nullptr;
#define TEN(n)                                                                                     \
    names[n] = names[n + 1] = names[n + 2] = names[n + 3] = names[n + 4] = names[n + 5] =          \
        names[n + 6] = names[n + 7] = names[n + 8] = names[n + 9] = nullptr
        TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50), TEN(60);
    }
};

static many_members *all_members(floats f) { return new many_members(std::move(f)); }

void moved_into_many_members(unsigned n) {
    floats f;
    f.resize(n);
    delete all_members(std::move(f));
}
