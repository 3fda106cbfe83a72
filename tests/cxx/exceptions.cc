// What is thrown past a raw owner.
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct item {
    int value = 0;
};

static void check(int n) {
    if (n < 0) throw std::runtime_error("negative");
}

static void check_quietly(int n) noexcept {
    if (n < 0) n = 0;
}

int thrown_past_the_owner(int n) { // n=-1
    item *i = new item; // LEAK thrown
    check(n);
    i->value = n;
    int r = i->value;
    delete i;
    return r;
}

int thrown_past_with_others_in_scope(int n) { // n=-1
    std::string name("some text that is longer than the small buffer");
    item *i = new item; // LEAK scope
    check(n);
    i->value = n + static_cast<int>(name.size());
    int r = i->value;
    delete i;
    return r;
}

int smart_owner_survives(int n) { // n=-1
    auto i = std::make_unique<item>(); // OK
    check(n);
    i->value = n;
    return i->value;
}

int nothing_is_thrown(int n) {
    item *i = new item; // OK
    check_quietly(n);
    i->value = n;
    int r = i->value;
    delete i;
    return r;
}

int caught_and_deleted(int n) { // n=-1
    item *i = new item; // OK
    try {
        check(n);
        i->value = n;
    } catch (...) {
        delete i;
        throw;
    }
    int r = i->value;
    delete i;
    return r;
}

int caught_and_forgotten(int n) { // n=-1
    item *i = new item; // LEAK caught
    try {
        check(n);
        i->value = n;
    } catch (const std::runtime_error &) {
        return -1;
    }
    int r = i->value;
    delete i;
    return r;
}

int deleted_behind_the_handler(int n) { // n=-1
    item *i = new item; // OK
    try {
        check(n);
        i->value = n;
    } catch (const std::exception &) {
        i->value = -1;
    }
    int r = i->value;
    delete i;
    return r;
}

int thrown_here(int n) { // n=5
    item *i = new item; // LEAK here
    if (n > 3) throw n;
    delete i;
    return n;
}

int thrown_here_after_delete(int n) { // n=5
    item *i = new item; // OK
    i->value = n;
    if (i->value > 3) {
        delete i;
        throw n;
    }
    delete i;
    return n;
}

int deleted_in_both(int n) { // n=0
    item *i = new item;
    try {
        check(n);
        delete i;
        check(n - 1);
    } catch (...) {
        delete i; // DOUBLE-FREE
    }
    return n;
}

struct half {
    item *first;
    item *second;
    half(int n) : first(new item), second(nullptr) { // LEAK half
        check(n);
        second = new item; // OK
    }
    ~half() {
        delete first;
        delete second;
    }
};

int constructor_throws_half_way(int n) { // n=-1; asan: leak
    half h(n);
    return h.first->value;
}

struct whole {
    std::unique_ptr<item> first;
    std::unique_ptr<item> second;
    whole(int n) : first(new item) { // OK
        check(n);
        second.reset(new item); // OK
    }
};

int members_are_owners(int n) { // n=-1
    whole w(n);
    return w.first->value;
}

int block_of_a_throwing_constructor(int n) { // n=-1
    whole *w = new whole(n); // OK
    int r = w->first->value;
    delete w;
    return r;
}

int nothrow_new(int n) {
    item *i = new (std::nothrow) item; // OK
    if (!i) return -1;
    i->value = n;
    int r = i->value;
    delete i;
    return r;
}

int exception_kept(int n) { // n=-1
    std::exception_ptr e;
    try {
        check(n);
    } catch (...) {
        e = std::current_exception();
    }
    return e ? -1 : n;
}

int thrown_past_a_vector(int n) { // n=-1
    std::vector<item *> all;
    all.push_back(new item); // LEAK vector
    check(n);
    for (auto *p : all)
        delete p;
    return n;
}

int function_try(int n) try { // n=-1
    std::vector<std::unique_ptr<item>> all;
    all.push_back(std::make_unique<item>()); // OK
    check(n);
    return n;
} catch (const std::runtime_error &) {
    return -1;
}
