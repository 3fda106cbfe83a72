// Iterators and references into containers, while the container changes.
#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct item {
    int value = 0;
};

int reference_across_push_back(int n) {
    std::vector<int> v;
    v.push_back(n);
    int &first = v[0];
    for (int i = 0; i < 100; i++)
        v.push_back(i);
    return first; // USE-AFTER-FREE
}

int reference_taken_again(int n) {
    std::vector<int> v;
    v.push_back(n);
    for (int i = 0; i < 100; i++)
        v.push_back(i);
    int &first = v[0];
    return first;
}

int reserved_before(int n) {
    std::vector<int> v;
    v.reserve(10);
    v.push_back(n);
    int &first = v[0];
    v.push_back(2);
    return first;
}

int pointer_across_clear(int n) {
    std::list<int> l;
    l.push_back(n);
    int *p = &l.front();
    l.clear();
    return *p; // USE-AFTER-FREE
}

int list_reference_survives(int n) {
    std::list<int> l;
    l.push_back(n);
    int &first = l.front();
    l.push_back(2);
    return first;
}

int map_reference_survives(int n) {
    std::map<int, int> m;
    int &first = m[1];
    m[2] = 3;
    first = n;
    return m[1];
}

int pointer_to_an_erased_one(int n) {
    std::map<int, int> m;
    m[1] = n;
    int *p = &m[1];
    m.erase(1);
    return *p; // MISSED USE-AFTER-FREE (elements have no memory of their own)
}

int data_after_the_vector(int n) {
    int *p;
    {
        std::vector<int> v(10, n);
        p = v.data();
    }
    return p[0]; // USE-AFTER-FREE
}

int data_of_a_living_vector(int n) {
    std::vector<int> v(10, n);
    int *p = v.data();
    return p[0];
}

int removed_if(int n) {
    std::vector<std::unique_ptr<item>> v;
    for (int i = 0; i < n; i++)
        v.push_back(std::make_unique<item>()); // OK
    v.erase(std::remove_if(v.begin(), v.end(),
                           [](const std::unique_ptr<item> &p) { return p->value == 0; }),
            v.end());
    return static_cast<int>(v.size());
}

int erased_while_walking(int n) {
    std::list<item *> l;
    for (int i = 0; i < n; i++)
        l.push_back(new item); // OK
    for (auto it = l.begin(); it != l.end();) {
        delete *it;
        it = l.erase(it);
    }
    return n;
}

int iterator_after_erase(int n) {
    std::list<int> l;
    l.push_back(n);
    auto it = l.begin();
    l.erase(it);
    return *it; // USE-AFTER-FREE
}

int sorted(int n) {
    std::vector<item *> v;
    v.push_back(new item); // OK
    v.push_back(new item); // OK
    v[0]->value = n;
    std::sort(v.begin(), v.end(), [](item *a, item *b) { return a->value < b->value; });
    for (auto *p : v)
        delete p;
    return n;
}

int found(int n) {
    std::vector<item *> v;
    item *i = new item; // OK
    i->value = n;
    v.push_back(i);
    auto it = std::find(v.begin(), v.end(), i);
    int r = it != v.end() ? (*it)->value : 0;
    delete i;
    return r;
}

int reversed(int n) {
    std::vector<item *> v;
    v.push_back(new item); // OK
    for (auto it = v.rbegin(); it != v.rend(); ++it)
        delete *it;
    return n;
}

int text_pointer_across_append(int n) {
    std::string s("some text that is longer than the small buffer");
    const char *p = s.c_str();
    for (int i = 0; i < 100; i++)
        s += "more";
    return p[0] + n; // MISSED USE-AFTER-FREE (elements have no memory of their own)
}

struct point {
    int x = 0, y = 0;
};

int member_across_emplace_back(int n) {
    std::vector<point> v;
    v.push_back(point());
    point &first = v.front();
    for (int i = 0; i < 20; i++)
        v.emplace_back();
    first.x = n; // USE-AFTER-FREE
    return n;
}

int other_vector_grows(int n) {
    std::vector<int> v, other;
    v.push_back(n);
    int &first = v[0];
    for (int i = 0; i < 20; i++)
        other.push_back(i);
    return first;
}

int read_before_it_grows(int n) {
    std::vector<int> v;
    v.push_back(n);
    int &first = v[0];
    int r = first;
    v.push_back(2);
    return r + v[0];
}

int grows_on_the_other_way(int n) {
    std::vector<int> v;
    v.push_back(n);
    int &first = v[0];
    if (n > 3) {
        v.push_back(2);
        return v[1];
    }
    return first;
}

int shrunk(int n) { // n=1
    std::vector<int> v(10, n);
    int *p = &v[2];
    v.pop_back();
    return *p;
}

int deque_reference_survives(int n) {
    std::deque<int> d;
    d.push_back(n);
    int &first = d.front();
    for (int i = 0; i < 100; i++)
        d.push_back(i);
    return first;
}

int map_reference_across_clear(int n) {
    std::map<int, int> m;
    int &first = m[1];
    first = n;
    m.clear();
    return first; // USE-AFTER-FREE
}

static int *first_of_a_local(int n) {
    std::vector<int> v(3, n);
    return v.data();
}

int returned_from_a_dead_vector(int n) {
    int *p = first_of_a_local(n);
    return *p; // USE-AFTER-FREE
}

int reserved_enough(int n) {
    std::vector<point> v;
    v.reserve(20);
    v.emplace_back();
    point &first = v.back();
    for (int i = 0; i < 19; i++)
        v.emplace_back();
    first.x = n;
    return v[0].x;
}
