// Callables, std::any, exceptions that are kept, threads that join themselves, and more sequences.
// run: -- -std=c++20
#include <any>
#include <deque>
#include <exception>
#include <forward_list>
#include <functional>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct item {
    int value = 0;
    ~item() { value = -1; }
};

static int add(item *i, int n) { return i->value + n; }
static void release(item *i) { delete i; }

int bound_and_deleted(int n) {
    item *i = new item; // OK
    auto f = std::bind(add, i, n);
    int r = f();
    delete i;
    return r;
}

int bound_release(int n) {
    item *i = new item; // OK
    std::function<void()> f = std::bind(release, i);
    f();
    return n;
}

int bound_owner(int n) {
    auto i = std::make_shared<item>(); // OK
    std::function<int(int)> f = [i](int k) { return i->value + k; };
    std::function<int(int)> g = f;
    i.reset();
    f = nullptr;
    return g(n);
}

int function_in_a_vector(int n) {
    std::vector<std::function<int()>> all;
    auto i = std::make_shared<item>(); // OK
    all.push_back([i] { return i->value; });
    all.emplace_back([i, n] { return i->value + n; });
    int total = 0;
    for (auto &f : all)
        total += f();
    return total;
}

int early_return_beside_a_function(int n) { // n=5
    std::function<int()> f = [n] { return n; };
    item *i = new item; // LEAK beside
    if (n > 3)
        return f(); // LOST beside
    delete i;
    return 0;
}

int any_owner(int n) {
    std::any a = std::make_shared<item>(); // OK
    std::any b = a;
    a.reset();
    return std::any_cast<std::shared_ptr<item>>(b)->value + n;
}

int any_pointer_deleted(int n) {
    std::any a = new item; // OK
    delete std::any_cast<item *>(a);
    return n;
}

int kept_exception(int n) {
    std::exception_ptr kept;
    item *i = new item; // OK
    try {
        if (n > 1)
            throw std::runtime_error("large");
    } catch (...) {
        kept = std::current_exception();
    }
    delete i;
    return kept ? -1 : n;
}

int lost_by_a_rethrow(int n) {
    std::exception_ptr kept;
    try {
        if (n > 1)
            throw std::runtime_error("large");
    } catch (...) {
        kept = std::current_exception();
    }
    item *i = new item; // LEAK rethrown LIKELY
    if (kept)
        std::rethrow_exception(kept);
    delete i;
    return n;
}

int thread_that_joins_itself(int n) {
    auto i = std::make_unique<item>(); // OK
    item *raw = i.get();
    {
        std::jthread t([raw, n] { raw->value = n; });
    }
    return i->value;
}

int stopped_thread(int n) {
    auto i = std::make_shared<item>(); // OK
    std::jthread t([i](std::stop_token token) {
        while (!token.stop_requested())
            i->value++;
    });
    t.request_stop();
    return n;
}

void forward_list_forgotten() {
    std::forward_list<item *> l;
    l.push_front(new item); // LEAK forward
}

int forward_list_deleted(int n) {
    std::forward_list<item *> l;
    for (int k = 0; k < n; k++)
        l.push_front(new item); // OK
    while (!l.empty()) {
        delete l.front();
        l.pop_front();
    }
    return n;
}

int deque_of_owners(int n) {
    std::deque<std::unique_ptr<item>> d;
    d.push_back(std::make_unique<item>());  // OK
    d.push_front(std::make_unique<item>()); // OK
    d.emplace_back(new item);               // OK
    d.pop_front();
    return n + static_cast<int>(d.size());
}

int list_of_counted(int n) {
    std::list<std::shared_ptr<item>> l;
    for (int k = 0; k < n; k++)
        l.push_back(std::make_shared<item>()); // OK
    l.remove_if([](const std::shared_ptr<item> &i) { return i->value > 1; });
    std::list<std::shared_ptr<item>> m(l);
    l.splice(l.begin(), m);
    return n;
}

int erased_from_the_middle(int n) {
    std::list<item *> l;
    l.push_back(new item); // OK
    l.push_back(new item); // OK
    for (auto it = l.begin(); it != l.end();) {
        delete *it;
        it = l.erase(it);
    }
    return n;
}
