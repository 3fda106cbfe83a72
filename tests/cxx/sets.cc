// Sets and multisets, ordered and by hash; containers that are only looked at.
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

struct item {
    int value = 0;
    ~item() {}
};

int unordered_set_forgotten(int n) {
    std::unordered_set<item *> s;
    s.insert(new item); // LEAK unordered
    return n;
}

int unordered_set_deleted(int n) {
    std::unordered_set<item *> s;
    s.insert(new item); // OK
    for (auto *p : s)
        delete p;
    return n;
}

int unordered_multiset_forgotten(int n) {
    std::unordered_multiset<item *> s;
    s.emplace(new item); // LEAK unordered_multi
    return n;
}

int unordered_multiset_deleted(int n) {
    std::unordered_multiset<item *> s;
    s.emplace(new item); // OK
    delete *s.begin();
    return n;
}

int cleared_without_delete(int n) {
    std::set<item *> s;
    s.insert(new item); // LEAK cleared
    s.clear();          // LOST cleared
    return n;
}

int deleted_when_it_was_there(int n) {
    std::set<item *> s;
    item *i = new item; // OK
    i->value = n;
    if (!s.insert(i).second) {
        delete i;
        return -1;
    }
    for (auto it = s.begin(); it != s.end(); ++it)
        delete *it;
    return n;
}

int found_and_deleted(int n) {
    std::set<item *> s;
    item *i = new item; // OK
    s.insert(i);
    auto it = s.find(i);
    if (it != s.end()) {
        delete *it;
        s.erase(it);
    }
    return n;
}

int inserted_twice(int n) {
    std::set<item *> s;
    item *i = new item; // OK
    s.insert(i);
    s.insert(i);
    bool one = s.size() == 1;
    if (one)
        delete i;
    else
        delete *s.begin();
    return n;
}

int set_of_owners(int n) {
    std::set<std::unique_ptr<item>> s;
    s.insert(std::make_unique<item>());      // OK
    s.emplace(new item);                     // OK
    return n + static_cast<int>(s.size());
}

int set_of_counted(int n) {
    std::set<std::shared_ptr<item>> s;
    auto a = std::make_shared<item>(); // OK
    s.insert(a);
    s.insert(a);
    s.erase(a);
    return n + a->value;
}

int hashed_counted(int n) {
    std::unordered_set<std::shared_ptr<item>> s;
    auto a = std::make_shared<item>(); // OK
    s.insert(a);
    std::unordered_set<std::shared_ptr<item>> t = s;
    s.clear();
    return n + static_cast<int>(t.size());
}

int two_sets(int n) {
    std::set<item *> all, busy;
    for (int k = 0; k < n; k++) {
        item *i = new item; // OK
        all.insert(i);
        if (k % 2)
            busy.insert(i);
    }
    busy.clear();
    for (item *i : all)
        delete i;
    return n;
}

struct pool {
    std::set<item *> items;
    item *get() {
        item *i = new item; // OK
        items.insert(i);
        return i;
    }
    void put(item *i) {
        if (items.erase(i))
            delete i;
    }
    ~pool() {
        for (std::set<item *>::const_iterator it = items.begin(); it != items.end(); ++it)
            delete *it;
    }
};

int pooled(int n) {
    pool p;
    item *a = p.get();
    p.get();
    if (n > 3)
        p.put(a);
    return n;
}

struct careless_pool {
    std::set<item *> items;
    item *get() {
        item *i = new item; // LEAK careless
        items.insert(i);
        return i;
    }
};

int carelessly_pooled(int n) { // asan: leak
    careless_pool p;
    p.get()->value = n;
    return n;
}

static void delete_all(const std::list<item *> &l) {
    for (auto *p : l)
        delete p;
}

int deleted_through_a_const_list(int n) {
    std::list<item *> l;
    l.push_back(new item); // OK
    delete_all(l);
    return n;
}

int deleted_through_const_iterators(int n) {
    std::deque<item *> d;
    d.push_back(new item); // OK
    d.push_back(new item); // OK
    for (auto it = d.cbegin(); it != d.cend(); ++it)
        delete *it;
    return n;
}

int deleted_through_a_const_map(int n) {
    std::map<int, item *> m;
    m[n] = new item; // OK
    const std::map<int, item *> &view = m;
    auto it = view.find(n);
    if (it != view.end())
        delete it->second;
    return n;
}

int deleted_through_a_const_hash_map(int n) {
    std::unordered_map<int, item *> m;
    m[n] = new item; // OK
    const auto &view = m;
    for (const auto &e : view)
        delete e.second;
    return n;
}

int in_a_multimap(int n) {
    std::multimap<std::string, item *> m;
    m.emplace("a", new item); // OK
    m.emplace("a", new item); // OK
    auto range = m.equal_range("a");
    for (auto it = range.first; it != range.second; ++it)
        delete it->second;
    return n;
}

int in_a_multimap_of_owners(int n) {
    std::unordered_multimap<int, std::unique_ptr<item>> m;
    m.emplace(1, std::make_unique<item>()); // OK
    m.insert({1, std::make_unique<item>()}); // OK
    return n + static_cast<int>(m.count(1));
}
