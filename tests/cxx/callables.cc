// run: --level=likely -- -std=c++20
// Callables that hold owners: std::function, bind, any, promises, threads, guards made of lambdas.
#include <any>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <queue>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct widget {
    int value = 0;
    std::function<int(int)> on_change;
    std::vector<std::function<void()>> listeners;
    std::shared_ptr<widget> parent;
    std::vector<std::shared_ptr<widget>> children;
};

int function_of_a_raw_owner(int n) {
    auto *w = new widget; // LEAK raw
    std::function<int(int)> f = [w](int k) { return w->value + k; };
    return f(n);
}

int function_that_deletes(int n) {
    auto *w = new widget; // OK
    std::function<int(int)> f = [w](int k) {
        int r = w->value + k;
        delete w;
        return r;
    };
    return f(n);
}

int function_and_delete(int n) {
    auto *w = new widget; // OK
    std::function<int(int)> f = [w](int k) { return w->value + k; };
    int r = f(n);
    delete w;
    return r;
}

int function_called_after_delete(int n) {
    auto *w = new widget;
    std::function<int(int)> f = [w](int k) { return w->value + k; };
    delete w;
    return f(n); // USE-AFTER-FREE
}

int function_by_reference(int n) {
    widget *w = nullptr;
    std::function<void()> make = [&w]() { w = new widget; };
    make(); // LEAK made
    return w->value + n;
}

int function_by_reference_deleted(int n) {
    widget *w = nullptr;
    std::function<void()> make = [&w]() { w = new widget; }; // OK
    make();
    int r = w->value + n;
    delete w;
    return r;
}

void listener_holds_its_widget() {
    auto w = std::make_shared<widget>(); // LEAK listener
    w->listeners.push_back([w]() { w->value++; });
}

void listener_holds_it_weakly() {
    auto w = std::make_shared<widget>(); // OK
    w->listeners.push_back([weak = std::weak_ptr<widget>(w)]() {
        if (auto s = weak.lock()) s->value++;
    });
}

void listener_by_raw_this() {
    auto w = std::make_shared<widget>(); // OK
    w->listeners.push_back([p = w.get()]() { p->value++; });
    for (auto &f : w->listeners)
        f();
}

void parent_and_child() {
    auto p = std::make_shared<widget>(); // LEAK parent
    auto c = std::make_shared<widget>(); // ALSO child
    p->children.push_back(c);
    c->parent = p;
}

void child_only() {
    auto p = std::make_shared<widget>(); // OK
    auto c = std::make_shared<widget>(); // OK
    p->children.push_back(c);
}

void cycle_through_a_callback_cut() {
    auto w = std::make_shared<widget>(); // OK
    w->on_change = [w](int k) { return w->value + k; };
    w->on_change(3);
    w->on_change = {};
}

static int use(widget *w, int n) { return w->value + n; }
static void end(widget *w) { delete w; }

int bound_in_a_function(int n) {
    auto *w = new widget; // MISSED bound (what a std::bind in a std::function calls is not known)
    std::function<int()> f = std::bind(use, w, n);
    return f();
}

int bound_end(int n) {
    auto *w = new widget; // OK
    std::function<void()> f = std::bind(end, w);
    f();
    return n;
}

int bound_twice(int n) {
    auto *w = new widget;
    auto f = std::bind(end, w);
    f();
    f(); // USE-AFTER-FREE; asan: any
    return n;
}

int table_of_functions(int n) {
    std::map<std::string, std::function<widget *()>> makers;
    makers["one"] = [] { return new widget; }; // OK
    auto it = makers.find("one");
    if (it == makers.end()) return n;
    std::unique_ptr<widget> w(it->second());
    return w->value;
}

int any_of_raw(int n) {
    std::any a = new widget; // LEAK any
    return a.has_value() + n;
}

int any_of_raw_deleted(int n) {
    std::any a = new widget; // OK
    delete std::any_cast<widget *>(a);
    return n;
}

int any_of_shared(int n) {
    std::any a = std::make_shared<widget>(); // OK
    return std::any_cast<std::shared_ptr<widget> &>(a)->value + n;
}

int jthread_of_an_owner(int n) {
    auto w = std::make_unique<widget>(); // OK
    std::jthread t([w = std::move(w), n]() { w->value = n; });
    return n;
}

int jthread_of_raw(int n) {
    auto *w = new widget; // MISSED thread (what a thread is given it may keep)
    std::jthread t([w, n]() { w->value = n; });
    t.join();
    return n;
}

int jthread_deletes(int n) {
    auto *w = new widget; // OK
    std::jthread t([w]() { delete w; });
    return n;
}

int jthread_stopped(int n) {
    auto w = std::make_shared<widget>(); // OK
    std::jthread t([w](std::stop_token s) {
        while (!s.stop_requested())
            w->value++;
    });
    t.request_stop();
    return n;
}

int async_of_raw(int n) {
    auto *w = new widget; // OK
    auto f = std::async(std::launch::deferred, [w, n] { return w->value + n; });
    int r = f.get();
    delete w;
    return r;
}

int promised(int n) {
    std::promise<std::unique_ptr<widget>> p;
    auto f = p.get_future();
    p.set_value(std::make_unique<widget>()); // OK
    return f.get()->value + n;
}

int task_returns_raw(int n) {
    std::packaged_task<widget *()> t([] { return new widget; }); // OK
    auto f = t.get_future();
    t();
    widget *w = f.get();
    int r = w->value + n;
    delete w;
    return r;
}

int queue_of_jobs(int n) {
    std::queue<std::function<void()>> q;
    auto *w = new widget; // OK
    q.push([w] { w->value++; });
    q.push([w] { delete w; });
    while (!q.empty()) {
        q.front()();
        q.pop();
    }
    return n;
}

template <class F> struct at_end {
    F f;
    explicit at_end(F g) : f(std::move(g)) {}
    ~at_end() { f(); }
};

int guarded_by_a_lambda(int n) {
    auto *w = new widget; // OK
    at_end guard([w] { delete w; });
    if (n > 3) return n;
    return w->value;
}

int dismissed(int n) {
    auto *w = new widget; // LEAK dismissed
    bool active = true;
    at_end guard([&] { if (active) delete w; });
    if (n == 3) active = false;
    return n;
}

int generic(int n) {
    auto make = [](auto... args) { return new widget{args...}; }; // LEAK generic
    auto *w = make(n);
    return w->value;
}

int immediately(int n) {
    std::unique_ptr<widget> w([&] {
        auto p = std::make_unique<widget>(); // OK
        p->value = n;
        return p.release();
    }());
    return w->value;
}

static void each(const std::vector<widget *> &v, const std::function<void(widget *)> &f) {
    for (auto *w : v)
        f(w);
}

int visited(int n) {
    std::vector<widget *> v;
    v.push_back(new widget); // OK
    v.push_back(new widget); // OK
    each(v, [](widget *w) { delete w; });
    return n;
}

int visited_and_forgotten(int n) {
    std::vector<widget *> v;
    v.push_back(new widget); // MISSED visited (the function is its caller's choice where it is called)
    int sum = 0;
    each(v, [&sum](widget *w) { sum += w->value; });
    return sum + n;
}
