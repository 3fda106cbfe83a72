// PIMPL, delegating constructors, placement new, overloaded operators.
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

struct part {
    int *data;
    part() : data(new int[2]) {} // OK
    ~part() { delete[] data; }
};

class pimpl {
    struct impl {
        int value = 0;
        int *more = new int(3); // OK
        ~impl() { delete more; }
    };
    impl *d;

  public:
    pimpl() : d(new impl) {} // OK
    ~pimpl() { delete d; }
    int value() const { return d->value; }
};

int pimpl_deleted() {
    pimpl p;
    return p.value();
}

class leaky_pimpl {
    struct impl {
        int value = 0;
    };
    impl *d;

  public:
    leaky_pimpl() : d(new impl) {} // LEAK pimpl
    ~leaky_pimpl() {}
    int value() const { return d->value; }
};

int pimpl_forgotten() { // asan: leak
    leaky_pimpl p;
    return p.value();
}

struct delegating {
    int *data;
    delegating() : data(new int[4]) {} // OK
    delegating(int n) : delegating() {
        if (n < 0) throw std::runtime_error("negative");
        data[0] = n;
    }
    ~delegating() { delete[] data; }
};

int delegated_constructor_throws(int n) { // n=-1
    delegating d(n);
    return d.data[0];
}

void placement_without_the_destructor() { // asan: leak
    alignas(part) unsigned char room[sizeof(part)];
    part *p = new (room) part; // MISSED placed (bytes of an array are not followed to the members of an object in them, nor at audit)
    p->data[0] = 1;
}

void placement_with_the_destructor() {
    alignas(part) unsigned char room[sizeof(part)];
    part *p = new (room) part; // OK
    p->data[0] = 1;
    p->~part();
}

void placement_in_malloc() {
    void *room = malloc(sizeof(part)); // OK
    if (!room) return;
    part *p = new (room) part; // OK
    p->~part();
    free(room);
}

void placement_in_malloc_deleted() {
    void *room = malloc(sizeof(part));
    if (!room) return;
    part *p = new (room) part;
    delete p; // MISMATCHED-FREE
}

struct pooled {
    int value = 0;
    static void *operator new(size_t n) {
        void *p = malloc(n);
        if (!p) throw std::bad_alloc();
        return p;
    }
    static void operator delete(void *p) { free(p); }
};

int own_operators(int n) {
    pooled *p = new pooled; // OK
    p->value = n;
    int r = p->value;
    delete p;
    return r;
}

int own_operators_forgotten(int n) {
    pooled *p = new pooled; // LEAK pooled
    p->value = n;
    return p->value;
}

void own_operators_freed_globally() { // asan: any
    pooled *p = new pooled;
    ::delete p; // MISMATCHED-FREE
}

struct tree {
    tree *left = nullptr, *right = nullptr;
    int value = 0;
    ~tree() {
        delete left;
        delete right;
    }
};

int tree_deleted(int n) {
    tree *t = new tree;  // OK
    t->left = new tree;  // OK
    t->right = new tree; // OK
    t->left->value = n;
    delete t;
    return n;
}

struct flat_tree {
    flat_tree *left = nullptr, *right = nullptr;
};

int tree_half_deleted(int n) {
    flat_tree *t = new flat_tree;
    t->left = new flat_tree; // LEAK left
    t->right = new flat_tree; // OK
    delete t->right;
    delete t;
    return n;
}

class singleton {
    int value = 0;
    singleton() {}

  public:
    static singleton &get() {
        static singleton *one = new singleton; // OK
        return *one;
    }
    int next() { return ++value; }
};

int asked_a_singleton() {
    return singleton::get().next();
}

struct guard {
    int *p;
    explicit guard(int *x) : p(x) {}
    ~guard() { delete p; }
    guard(const guard &) = delete;
};

int guarded(int n) {
    int *p = new int(n); // OK
    guard g(p);
    if (n > 2) return *p;
    return 0;
}
