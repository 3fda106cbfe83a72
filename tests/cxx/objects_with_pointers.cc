// Objects with pointers in containers and other owners.
// run: --level=likely -- -std=c++20
#include <algorithm>
#include <cstdio>
#include <utility>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct part {
    int value = 0;
};

// Holds a pointer that it does not own.
struct view {
    part *p = nullptr;
    int n = 0;
};

int views_and_delete(int n) {
    std::vector<view> v;
    v.push_back({new part, n}); // OK
    v.push_back({new part, 2}); // OK
    for (auto &e : v)
        delete e.p;
    return n;
}

int views_forgotten(int n) {
    std::vector<view> v;
    v.push_back({new part, n}); // LEAK views
    return v[0].n;
}

int views_emplaced(int n) {
    std::vector<view> v;
    v.emplace_back(view{new part, n}); // OK
    view copy = v.back();
    v.pop_back();
    delete copy.p;
    return n;
}

int views_in_a_map(int n) {
    std::map<int, view> m;
    m[1] = view{new part, n}; // OK
    m.emplace(2, view{new part, n}); // OK
    for (auto &[k, e] : m)
        delete e.p;
    return n;
}

int views_in_a_map_forgotten(int n) {
    std::map<int, view> m;
    m[1] = view{new part, n}; // MISSED mapped (of objects in maps nothing is claimed)
    return m[1].n;
}

// Shallow copies of an owner: deleted twice.
struct shallow {
    part *p = new part; // OK
    shallow() = default;
    ~shallow() { delete p; }
};

int shallow_in_a_vector(int n) { // asan: double-free
    std::vector<shallow> v;
    shallow s;
    v.push_back(s);
    return v[0].p->value + n;
} // DOUBLE-FREE

int shallow_in_a_grown_vector(int n) { // asan: any
    std::vector<shallow> v;
    v.emplace_back();
    v.emplace_back(); // the first is copied and ended; that is not modelled
    return n;
}

struct deep {
    part *p;
    deep() : p(new part) {} // OK
    deep(const deep &o) : p(new part(*o.p)) {} // OK
    deep(deep &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
    deep &operator=(deep o) noexcept {
        std::swap(p, o.p);
        return *this;
    }
    ~deep() { delete p; }
};

int deep_in_a_vector(int n) {
    std::vector<deep> v;
    deep s;
    v.push_back(s);
    v.push_back(std::move(s));
    v.emplace_back();
    v.erase(v.begin());
    return v[0].p->value + n;
}

int deep_in_a_map(int n) {
    std::map<int, deep> m;
    m[1] = deep();
    m[1] = deep();
    m.erase(1);
    m.try_emplace(2);
    return static_cast<int>(m.size()) + n;
}

int deep_in_an_optional(int n) {
    std::optional<deep> o;
    o.emplace();
    o = deep();
    std::optional<deep> q = o;
    o.reset();
    return q->p->value + n;
}

int deep_in_a_variant(int n) {
    std::variant<int, deep, std::string> v;
    v = deep();
    v = std::string("a text that is longer than the small buffer");
    v = deep();
    return static_cast<int>(v.index()) + n;
}

int raw_in_an_optional(int n) {
    std::optional<view> o = view{new part, n}; // LEAK optional
    o.reset();
    return n;
}

int raw_in_a_variant(int n) {
    std::variant<int, part *> v = new part; // OK
    if (auto **p = std::get_if<part *>(&v)) delete *p;
    return n;
}

struct tree {
    struct node {
        part *data;
        std::unique_ptr<node> left, right;
        explicit node(part *d) : data(d) {}
        ~node() { delete data; }
    };
    std::unique_ptr<node> root;
    void insert(part *d) {
        auto *at = &root;
        while (*at)
            at = d->value < (*at)->data->value ? &(*at)->left : &(*at)->right;
        *at = std::make_unique<node>(d);
    }
};

int tree_owns(int n) {
    tree t;
    for (int i = 0; i < n; i++)
        t.insert(new part{i}); // OK
    return n;
}

struct registry {
    std::unordered_map<std::string, std::unique_ptr<part>> parts;
    part *get(const std::string &k) {
        auto it = parts.find(k);
        if (it != parts.end()) return it->second.get();
        return parts.emplace(k, std::make_unique<part>()).first->second.get(); // OK
    }
};

int from_a_registry(const std::string &s) {
    registry r;
    r.get(s)->value = 1;
    return r.get("b")->value;
}

struct raw_registry {
    std::map<std::string, part *> parts;
    ~raw_registry() {
        for (auto &[k, p] : parts) delete p;
    }
    part *get(const std::string &k) {
        part *&p = parts[k];
        if (!p) p = new part; // OK
        return p;
    }
    void replace(const std::string &k, part *fresh) {
        auto [it, added] = parts.insert({k, fresh});
        if (!added) {
            delete it->second;
            it->second = fresh;
        }
    }
};

int from_a_raw_registry(const std::string &s) {
    raw_registry r;
    r.get(s)->value = 1;
    r.replace("b", new part); // OK
    r.replace("b", new part); // OK
    return r.get("b")->value;
}

struct careless_registry {
    std::map<std::string, part *> parts;
    void add(const std::string &k) { parts[k] = new part; } // MISSED careless (with a key that is a string the caller does not know the place)
};

int from_a_careless_registry(const std::string &s) { // asan: leak
    careless_registry r;
    r.add(s);
    return r.parts[s]->value;
}

int monotonic(int n) {
    std::pmr::monotonic_buffer_resource pool;
    std::pmr::vector<int> v(&pool);
    for (int i = 0; i < n; i++)
        v.push_back(i);
    return static_cast<int>(v.size());
}

int stack_of_raw(int n) {
    std::stack<part *> s;
    s.push(new part); // OK
    s.push(new part{n}); // OK
    int sum = 0;
    while (!s.empty()) {
        part *p = s.top();
        s.pop();
        sum += p->value;
        delete p;
    }
    return sum;
}

int stack_of_raw_forgotten(int n) {
    std::stack<part *> s;
    s.push(new part{n}); // LEAK stack
    part *p = s.top();
    s.pop();
    return p->value;
}

struct by_value {
    bool operator()(const part *a, const part *b) const { return a->value < b->value; }
};

int set_of_raw(int n) {
    std::set<part *, by_value> s;
    part *p = new part{n}; // OK
    if (!s.insert(p).second) delete p;
    for (part *q : s)
        delete q;
    return n;
}

class pimpl {
    struct impl;
    std::unique_ptr<impl> i;
public:
    pimpl();
    ~pimpl();
    pimpl(pimpl &&) noexcept;
    int value() const;
};
struct pimpl::impl {
    part *p = new part; // OK
    ~impl() { delete p; }
};
pimpl::pimpl() : i(std::make_unique<impl>()) {}
pimpl::~pimpl() = default;
pimpl::pimpl(pimpl &&) noexcept = default;
int pimpl::value() const { return i->p->value; }

int hidden(int n) {
    pimpl a;
    pimpl b = std::move(a);
    return b.value() + n;
}

struct file_closer {
    void operator()(FILE *f) const { fclose(f); }
};
using file = std::unique_ptr<FILE, file_closer>;

int files(const char *path) {
    std::vector<file> all;
    for (int i = 0; i < 3; i++)
        if (file f{fopen(path, "r")}) // OK
            all.push_back(std::move(f));
    return static_cast<int>(all.size());
}

int file_released(const char *path) { // asan: none
    file f{fopen(path, "r")}; // RESOURCE-LEAK released
    if (!f) return 0;
    return fgetc(f.release());
}

template <class T> class intrusive {
    T *p = nullptr;
public:
    intrusive() = default;
    explicit intrusive(T *q) : p(q) { if (p) p->refs++; }
    intrusive(const intrusive &o) : p(o.p) { if (p) p->refs++; }
    intrusive(intrusive &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
    intrusive &operator=(intrusive o) noexcept { std::swap(p, o.p); return *this; }
    ~intrusive() { if (p && --p->refs == 0) delete p; }
    T *operator->() const { return p; }
    T *get() const { return p; }
};

struct shared_part {
    int refs = 0;
    int value = 0;
    intrusive<shared_part> next;
};

int intrusively_counted(int n) {
    intrusive<shared_part> a(new shared_part); // OK
    intrusive<shared_part> b = a;
    a->value = n;
    a = intrusive<shared_part>(new shared_part); // OK
    return b->value;
}

int intrusive_list(int n) {
    intrusive<shared_part> head;
    for (int i = 0; i < n; i++) {
        intrusive<shared_part> fresh(new shared_part); // OK
        fresh->next = head;
        head = fresh;
    }
    return head.get() ? head->value : 0;
}

int intrusive_in_a_vector(int n) {
    std::vector<intrusive<shared_part>> v;
    v.emplace_back(new shared_part); // OK
    v.push_back(v[0]);
    v.erase(v.begin());
    return v[0]->value + n;
}
