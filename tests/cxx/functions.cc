// Lambdas, std::function, std::bind: captured owners, cycles, raw captures.
#include <functional>
#include <memory>
#include <vector>

struct widget {
    int value = 0;
    std::function<void()> callback;
};

int owner_captured_by_move(int n) {
    auto p = std::make_unique<widget>(); // OK
    auto f = [p = std::move(p), n]() { return p->value + n; };
    return f();
}

int shared_captured_in_a_function(int n) {
    auto p = std::make_shared<widget>(); // OK
    std::function<int()> f = [p, n]() { return p->value + n; };
    return f();
}

void holds_a_callback_that_holds_it() {
    auto w = std::make_shared<widget>(); // LEAK cycle LIKELY because LIBRARY_CODE
    w->callback = [w]() { w->value++; };
}

void callback_holds_it_weakly() {
    auto w = std::make_shared<widget>(); // OK
    std::weak_ptr<widget> weak = w;
    w->callback = [weak]() {
        if (auto s = weak.lock()) s->value++;
    };
}

void callback_cleared() {
    auto w = std::make_shared<widget>(); // OK
    w->callback = [w]() { w->value++; };
    w->callback = nullptr;
}

int raw_captured_and_forgotten(int n) {
    widget *w = new widget; // LEAK raw
    auto f = [w, n]() { return w->value + n; };
    return f();
}

int raw_captured_and_deleted(int n) {
    widget *w = new widget; // OK
    auto f = [w, n]() { return w->value + n; };
    int r = f();
    delete w;
    return r;
}

int raw_deleted_by_the_lambda(int n) {
    widget *w = new widget; // OK
    auto f = [w, n]() {
        int r = w->value + n;
        delete w;
        return r;
    };
    return f();
}

int raw_captured_in_a_function(int n) {
    widget *w = new widget; // LEAK function
    std::function<int()> f = [w, n]() { return w->value + n; };
    return f();
}

int called_after_the_delete(int n) {
    widget *w = new widget;
    auto f = [w, n]() { return w->value + n; };
    delete w;
    return f(); // USE-AFTER-FREE
}

static int add(widget *w, int n) {
    return w->value + n;
}

int bound_and_deleted(int n) {
    widget *w = new widget; // OK
    auto f = std::bind(add, w, n);
    int r = f();
    delete w;
    return r;
}

int bound_and_forgotten(int n) {
    widget *w = new widget; // LEAK bound
    auto f = std::bind(add, w, n);
    return f();
}

int list_of_functions(int n) {
    std::vector<std::function<int(int)>> all;
    auto p = std::make_shared<widget>(); // OK
    all.push_back([p](int k) { return p->value + k; });
    all.emplace_back([](int k) { return k; });
    int sum = 0;
    for (auto &f : all)
        sum += f(n);
    return sum;
}

int function_moved(int n) {
    auto p = std::make_shared<widget>(); // OK
    std::function<int()> f = [p, n]() { return p->value + n; };
    std::function<int()> g = std::move(f);
    return g();
}

std::function<int(int)> returned() {
    auto p = std::make_shared<widget>(); // OK
    return [p](int n) { return p->value + n; };
}
