// One policy for exceptions: what throws is what the code or a model says; a function without source
// only where a handler waits for it. Memory that runs out, locks and streams matter less.
// run: --impact=once
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

struct item {
    int value = 0;
};

struct failure {};

void unseen(int n);
void unseen_but_quiet(int n) noexcept;
// asan code: void unseen(int n) { if (n < 0) throw failure(); }
// asan code: void unseen_but_quiet(int) noexcept {}

static std::mutex door;

static void check(int n) {
    if (n < 0) throw failure();
}

int unknown_code_with_others_in_scope(int n) {
    std::string name("some text that is longer than the small buffer");
    item *i = new item; // OK
    unseen(n);
    int r = i->value + static_cast<int>(name.size());
    delete i;
    return r;
}

int unknown_code_without_others(int n) {
    item *i = new item; // OK
    unseen(n);
    int r = i->value;
    delete i;
    return r;
}

int unknown_code_in_a_handler(int n) { // n=-1
    item *i = new item; // LEAK handler LIKELY because MAY_THROW
    try {
        unseen(n);
    } catch (...) {
        return -1; // LOST handler
    }
    delete i;
    return 0;
}

int quiet_code_in_a_handler(int n) {
    item *i = new item; // OK
    try {
        unseen_but_quiet(n);
    } catch (...) {
        return -1;
    }
    delete i;
    return 0;
}

int memory_runs_out(int n) { // asan: none (there is enough)
    item *i = new item; // LEAK short MEMORY-SHORT because NO_MEMORY
    try {
        item *second = new item; // OK
        second->value = n;
        delete second;
    } catch (const std::bad_alloc &) {
        return -1; // LOST short
    }
    delete i;
    return 0;
}

int memory_runs_out_and_all_is_deleted(int n) {
    item *i = new item; // OK
    try {
        item *second = new item; // OK
        second->value = n;
        delete second;
    } catch (const std::bad_alloc &) {
        delete i;
        return -1;
    }
    delete i;
    return 0;
}

int memory_runs_out_and_nobody_waits(int n) {
    item *i = new item; // OK
    item *second = new item; // OK
    int r = i->value + second->value + n;
    delete second;
    delete i;
    return r;
}

int a_lock_throws(int n) { // asan: none (it does not)
    item *i = new item; // LEAK lock LIKELY ONCE because LIBRARY_THROWS, SYSTEM_ERROR
    door.lock();
    i->value = n;
    door.unlock();
    int r = i->value;
    delete i;
    return r;
}

static void stops(int n) noexcept {
    check(n);
}

int ends_in_terminate(int n) {
    item *i = new item; // OK
    stops(n);
    int r = i->value;
    delete i;
    return r;
}

struct derived_failure : failure {};

int caught_by_its_type(int n) {
    item *i = new item; // OK
    try {
        check(n);
    } catch (const failure &) {
        delete i;
        return -1;
    }
    delete i;
    return n;
}

int caught_by_its_base(int n) {
    item *i = new item; // OK
    try {
        if (n < 0) throw derived_failure();
    } catch (const failure &) {
        delete i;
        return -1;
    }
    delete i;
    return n;
}

int caught_by_a_base_of_the_library(int n) {
    item *i = new item; // OK
    try {
        if (n < 0) throw std::runtime_error("negative");
    } catch (const std::exception &) {
        delete i;
        return -1;
    }
    delete i;
    return n;
}

int not_caught_by_another_type(int n) { // n=-1
    item *i = new item; // LEAK another
    try {
        if (n < 0) throw std::runtime_error("negative"); // thrown here
    } catch (const failure &) {
        delete i;
        return -1;
    }
    delete i;
    return n;
}
