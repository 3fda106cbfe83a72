// Iterators, references and pointers that are kept in memory across changes of a container.
// run: --level=likely
#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct item {
    int value = 0;
    item *next = nullptr;
};

struct cursor {
    item *at = nullptr;
    std::vector<item>::iterator it;
    int &ref;
};

struct pool {
    std::vector<item> all;
    item *current = nullptr;
    item *add(int n) {
        all.push_back({n, nullptr});
        return &all.back();
    }
};

int two_from_a_pool(int n) {
    pool p;
    item *a = p.add(n);
    item *b = p.add(2);
    a->next = b; // USE-AFTER-FREE
    return b->value;
}

int one_from_a_pool(int n) {
    pool p;
    item *a = p.add(n);
    a->value++;
    return a->value;
}

struct stable_pool {
    std::deque<item> all;
    item *add(int n) {
        all.push_back({n, nullptr});
        return &all.back();
    }
};

int two_from_a_stable_pool(int n) {
    stable_pool p;
    item *a = p.add(n);
    item *b = p.add(2);
    a->next = b;
    return a->value;
}

int member_across_growth(int n) {
    pool p;
    p.all.push_back({n, nullptr});
    p.current = &p.all[0];
    for (int i = 0; i < 50; i++)
        p.all.push_back({i, nullptr});
    return p.current->value; // USE-AFTER-FREE
}

int member_set_again(int n) {
    pool p;
    p.all.push_back({n, nullptr});
    p.current = &p.all[0];
    for (int i = 0; i < 50; i++)
        p.all.push_back({i, nullptr});
    p.current = &p.all[0];
    return p.current->value;
}

int iterator_across_push_back(int n) {
    std::vector<int> v{n, 2, 3};
    auto it = v.begin();
    v.push_back(4);
    return *it; // USE-AFTER-FREE
}

int erased_in_a_range_loop(int n) {
    std::vector<int> v;
    for (int i = 0; i < 8; i++)
        v.push_back(i);
    int sum = 0;
    for (int i : v) { // USE-AFTER-FREE
        if (i == n) v.push_back(i); // n=3
        sum += i;
    }
    return sum;
}

int erase_and_go_on(int n) {
    std::map<int, item *> m;
    m[1] = new item; // OK
    m[2] = new item; // OK
    for (auto it = m.begin(); it != m.end();) {
        delete it->second;
        it = m.erase(it);
    }
    return n;
}

int erase_with_the_loops_increment(int n) {
    std::map<int, int> m{{1, n}, {2, n}, {3, n}};
    for (auto it = m.begin(); it != m.end(); ++it) // MISSED USE-AFTER-FREE (elements have no memory of their own); asan: none, the library is not instrumented
        if (it->first > 0) m.erase(it);
    return n;
}

int post_increment_erase(int n) {
    std::map<int, int> m{{1, n}, {2, n}, {3, n}};
    for (auto it = m.begin(); it != m.end();) {
        if (it->first > 1)
            m.erase(it++);
        else
            ++it;
    }
    return static_cast<int>(m.size());
}

int set_iterator_after_erase(int n) {
    std::set<int> s{n, 7};
    auto it = s.find(7);
    if (it == s.end()) return 0;
    s.erase(it);
    return *it; // USE-AFTER-FREE
}

int set_iterator_before_erase(int n) {
    std::set<int> s{n, 7};
    auto it = s.find(7);
    if (it == s.end()) return 0;
    int r = *it;
    s.erase(it);
    return r;
}

int read_after_erase(int n) {
    std::unordered_map<int, item> m;
    m[1].value = n;
    auto it = m.find(1);
    if (it == m.end()) return 0;
    m.erase(it);
    return it->second.value; // USE-AFTER-FREE
}

int read_before_erase(int n) {
    std::unordered_map<int, item> m;
    m[1].value = n;
    auto it = m.find(1);
    if (it == m.end()) return 0;
    int r = it->second.value;
    m.erase(it);
    it = m.find(1);
    return it == m.end() ? r : it->second.value;
}

int found_again_in_a_loop(int n) {
    std::map<int, item> m;
    for (int i = 0; i < n; i++)
        m[i].value = i;
    int sum = 0;
    while (!m.empty()) {
        auto first = m.begin();
        sum += first->second.value;
        m.erase(first);
    }
    return sum;
}

// The caller's container, through a member function and a plain one.
struct table {
    std::vector<item> rows;
    item *row(unsigned i) { return &rows[i]; }
    void grow() { rows.push_back(item()); }
    void grow_if(bool wanted) {
        if (wanted) grow();
    }
    void forget() { rows.clear(); }
};

static void add_one(std::vector<item> &v) { v.emplace_back(); }

int row_across_grow(int n) { // asan: any
    table t;
    t.grow();
    item *r = t.row(0);
    t.grow();
    r->value = n; // USE-AFTER-FREE
    return n;
}

int row_after_grow(int n) {
    table t;
    t.grow();
    t.row(0)->value = n;
    t.grow();
    return t.row(0)->value;
}

int row_not_grown(int n) {
    table t;
    t.grow();
    item *r = t.row(0);
    t.grow_if(false);
    return r->value + n;
}

int grown_by_reference(int n) {
    std::vector<item> v(1);
    item &r = v.front();
    add_one(v);
    r.value = n; // USE-AFTER-FREE
    return n;
}

int room_for_both(int n) {
    std::vector<item> v;
    v.reserve(2);
    v.emplace_back();
    item &r = v.front();
    add_one(v);
    r.value = n;
    return n;
}

int other_grown(int n) {
    table t, u;
    t.grow();
    item *r = t.row(0);
    u.grow();
    u.forget();
    r->value = n;
    return t.row(0)->value;
}

int index_kept_instead(int n) {
    std::vector<item> v{item()};
    auto it = v.begin();
    auto at = it - v.begin();
    v.push_back(item());
    it = v.begin() + at;
    it->value = n;
    return v[0].value;
}

int insert_gives_it_anew(int n) {
    std::vector<int> v{n, 2, 3};
    for (auto it = v.begin(); it != v.end(); ++it)
        if (*it == 2) {
            it = v.insert(it, 7);
            ++it;
        }
    return v[0];
}

int reference_in_unordered_map(int n) {
    std::unordered_map<int, int> m;
    int &a = m[1];
    for (int i = 0; i < 1000; i++)
        m[i + 2] = i;
    a = n;
    return m[1];
}

int pop_of_a_list(int n) {
    std::list<item> l;
    l.push_back({n, nullptr});
    item &i = l.front();
    l.pop_front();
    return i.value; // MISSED USE-AFTER-FREE (elements have no memory of their own)
}

int taken_before_pop(int n) {
    std::deque<item *> d;
    d.push_back(new item); // OK
    item *i = d.front();
    d.pop_front();
    int r = i->value + n;
    delete i;
    return r;
}

int spliced(int n) {
    std::list<item> a, b;
    a.push_back({n, nullptr});
    item *i = &a.front();
    b.splice(b.end(), a);
    return i->value;
}

int kept_by_swap(int n) {
    std::vector<item> a, b;
    a.push_back({n, nullptr});
    item *i = &a[0];
    a.swap(b);
    return i->value;
}

int kept_by_move(int n) {
    std::vector<item> a;
    a.push_back({n, nullptr});
    item *i = &a[0];
    std::vector<item> b = std::move(a);
    return i->value;
}

int dead_after_assignment(int n) {
    std::vector<item> a(2), b(200);
    item *i = &a[0];
    a = b;
    return i->value + n; // USE-AFTER-FREE
}

struct node {
    int value = 0;
    std::vector<std::unique_ptr<node>> children;
    node *parent = nullptr;
    node *add(int v) {
        children.push_back(std::make_unique<node>()); // OK
        node *c = children.back().get();
        c->value = v;
        c->parent = this;
        return c;
    }
};

int tree_of_owners(int n) {
    node root;
    node *a = root.add(n);
    node *b = root.add(2);
    a->add(4);
    b->parent = a;
    return a->value + b->value;
}

int child_after_clear(int n) {
    node root;
    node *a = root.add(n);
    root.children.clear();
    return a->value; // USE-AFTER-FREE
}

int child_moved_out(int n) {
    node root;
    root.add(n);
    std::unique_ptr<node> c = std::move(root.children.back());
    root.children.pop_back();
    return c->value;
}

int child_after_pop(int n) {
    node root;
    node *a = root.add(n);
    root.children.pop_back();
    return a->value; // USE-AFTER-FREE
}

int released_into_another(int n) {
    std::vector<std::unique_ptr<item>> a, b;
    a.push_back(std::make_unique<item>()); // OK
    b.emplace_back(a.back().release());
    a.pop_back();
    return b[0]->value + n;
}

int extracted(int n) {
    std::map<int, std::unique_ptr<item>> m;
    m[1] = std::make_unique<item>(); // OK
    auto h = m.extract(1);
    item *i = h.mapped().get();
    return i->value + n;
}

int extracted_and_released(int n) {
    std::map<int, std::unique_ptr<item>> m;
    m[1] = std::make_unique<item>(); // MISSED taken (of objects in maps nothing is claimed, nor at audit)
    item *i = m[1].release();
    m.erase(1);
    return i->value + n;
}
