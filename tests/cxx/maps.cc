// map, set and their kin.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

struct item {
    int value = 0;
};

int map_entry_overwritten(int n) {
    std::map<int, item *> m;
    m[1] = new item; // LEAK twice
    m[1] = new item; // OK; LOST twice
    m[1]->value = n;
    delete m[1];
    return n;
}

int map_forgotten(int n) {
    std::map<int, item *> m;
    m[n] = new item; // LEAK map
    return m[n]->value;
}

int map_deleted(int n) {
    std::map<int, item *> m;
    m[1] = new item; // OK
    m[2] = new item; // OK
    for (auto &e : m)
        delete e.second;
    return n;
}

int map_deleted_by_iterator(int n) {
    std::map<std::string, item *> m;
    m["one"] = new item; // OK
    m["two"] = new item; // OK
    for (std::map<std::string, item *>::iterator it = m.begin(); it != m.end(); ++it)
        delete it->second;
    m.clear();
    return n;
}

int found_and_erased(int n) {
    std::map<int, item *> m;
    m[n] = new item; // OK
    auto it = m.find(n);
    if (it != m.end()) {
        delete it->second;
        m.erase(it);
    }
    return n;
}

int erased_without_delete(int n) {
    std::map<int, item *> m;
    m[n] = new item; // LEAK erased
    m.erase(n);
    return n;
}

int map_of_owners(int n) {
    std::map<std::string, std::unique_ptr<item>> m;
    m["a"] = std::make_unique<item>();          // OK
    m["a"] = std::make_unique<item>();          // OK
    m.emplace("b", std::make_unique<item>());   // OK
    m["a"]->value = n;
    return m["a"]->value;
}

int map_of_values(int n) {
    std::map<std::string, std::string> m;
    m["a"] = "some text that is longer than the small buffer";
    m.insert(std::make_pair(std::string("b"), std::string("c")));
    return static_cast<int>(m.size()) + n;
}

int inserted_and_deleted(int n) {
    std::map<int, item *> m;
    m.insert(std::make_pair(1, new item)); // OK
    for (auto &e : m)
        delete e.second;
    return n;
}

int inserted_and_forgotten(int n) {
    std::map<int, item *> m;
    m.insert(std::make_pair(n, new item)); // LEAK inserted
    return n;
}

void set_forgotten() {
    std::set<item *> s;
    s.insert(new item); // LEAK set
}

int set_deleted(int n) {
    std::set<item *> s;
    s.insert(new item); // OK
    for (auto *p : s)
        delete p;
    return n;
}

int set_erased_while_walking(int n) {
    std::set<item *> s;
    s.insert(new item); // OK
    for (auto it = s.begin(); it != s.end();) {
        delete *it;
        it = s.erase(it);
    }
    return n;
}

int unordered_map_forgotten(int n) {
    std::unordered_map<int, item *> m;
    m[n] = new item; // LEAK unordered
    return m[n]->value;
}

int unordered_map_deleted(int n) {
    std::unordered_map<int, item *> m;
    m[n] = new item; // OK
    for (auto &e : m)
        delete e.second;
    return n;
}

int unordered_map_of_owners(int n) {
    std::unordered_map<std::string, std::shared_ptr<item>> m;
    m["a"] = std::make_shared<item>(); // OK
    m["b"] = m["a"];
    m["b"]->value = n;
    return n;
}

int unordered_set_of_strings(int n) {
    std::unordered_set<std::string> s;
    s.insert("some text that is longer than the small buffer");
    return static_cast<int>(s.count("x")) + n;
}

int multimap_deleted(int n) {
    std::multimap<int, item *> m;
    m.insert({1, new item}); // OK
    m.insert({1, new item}); // OK
    for (auto it = m.begin(); it != m.end(); ++it)
        delete it->second;
    return n;
}

void multiset_forgotten() {
    std::multiset<item *> s;
    s.insert(new item); // LEAK multi
}

struct registry {
    std::map<std::string, item *> items;
    void add(const std::string &name, item *i) { items[name] = i; }
    item *get(const std::string &name) {
        auto it = items.find(name);
        return it == items.end() ? nullptr : it->second;
    }
    ~registry() {
        for (auto &e : items)
            delete e.second;
    }
};

int registered(int n) {
    registry r;
    r.add("a", new item); // OK
    item *i = r.get("a");
    return i ? i->value : n;
}

int deleted_when_the_key_was_there(int n) {
    std::map<int, item *> m;
    for (int k = 0; k < n; k++) {
        item *i = new item; // OK
        if (!m.insert(std::make_pair(k % 2, i)).second)
            delete i;
    }
    for (auto it = m.begin(); it != m.end(); ++it)
        delete it->second;
    return n;
}

int deleted_before_the_erase(int n) {
    std::map<int, item *> m;
    m.insert({n, new item}); // OK
    delete m[n];
    m.erase(n);
    return static_cast<int>(m.size());
}

int erased_of_two(int n) {
    std::map<int, item *> m;
    m[1] = new item; // LEAK of_two
    m[2] = new item; // OK
    m.erase(1);      // LOST of_two
    delete m[2];
    return n;
}

int hash_map_inserted_and_deleted(int n) {
    std::unordered_map<std::string, item *> m;
    m.insert({"a", new item}); // OK
    auto it = m.find("a");
    if (it != m.end())
        delete it->second;
    m.erase("a");
    return n;
}

int owner_inserted(int n) {
    std::map<int, std::unique_ptr<item>> m;
    m.insert(std::make_pair(1, std::make_unique<item>())); // OK
    std::unique_ptr<item> i = std::make_unique<item>();    // OK
    m.insert({2, std::move(i)});
    m.erase(1);
    return n;
}

struct cache {
    std::map<std::string, item *> items;
    void put(const std::string &name, item *i) { items.insert(std::make_pair(name, i)); }
    ~cache() {
        for (std::map<std::string, item *>::const_iterator it = items.begin(); it != items.end(); ++it)
            delete it->second;
    }
};

int cached(int n) {
    cache c;
    c.put("a", new item); // OK
    c.put("b", new item); // OK
    return n;
}

// ---- A key that is a pointer: whoever walks over the map can release it.

static std::map<item *, int> ages;

void key_by_operator(int n) { // asan: leak (the map ends before the program does)
    item *i = new item; // OK
    ages[i] = n;
}

void key_by_insert(int n) { // asan: leak
    item *i = new item; // OK
    ages.insert({i, n});
}

struct search : protected std::map<item *, search *> {
    ~search() {
        for (auto &p : *this)
            delete p.first;
    }
    bool add() {
        item *i = new item; // OK
        bool added = insert(std::make_pair(i, this)).second;
        if (!added) delete i;
        return added;
    }
};

int keys_of_a_local(int n) {
    search s;
    s.add();
    return s.add() + n;
}

static std::unordered_map<item *, item *> pairs;

void both_are_new(int) {
    pairs[new item] = new item; // OK
}

int beside_a_key(int n) {
    item *i = new item; // LEAK beside
    int k = static_cast<int>(ages.size()) + n;
    return i->value + k; // LOST beside
}
