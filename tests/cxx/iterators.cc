// Iterators and references into containers, while the container changes.
#include <algorithm>
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
    return first; // MISSED USE-AFTER-FREE (elements have no memory of their own)
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
    return *p; // MISSED USE-AFTER-FREE (elements have no memory of their own)
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
    return p[0]; // MISSED USE-AFTER-FREE (elements have no memory of their own)
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
    return *it; // MISSED USE-AFTER-FREE (elements have no memory of their own)
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
