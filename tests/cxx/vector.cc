// std::vector of raw pointers owns none of them; of owning objects it owns all.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

struct item {
    int value = 0;
};

int forgotten_with_the_vector(int n) {
    std::vector<item *> all;
    all.push_back(new item); // LEAK forgotten
    all[0]->value = n;
    return all[0]->value;
}

int deleted_in_a_range_loop(int n) {
    std::vector<item *> all;
    for (int i = 0; i < n; i++)
        all.push_back(new item); // OK
    int sum = 0;
    for (item *p : all)
        sum += p->value;
    for (item *p : all)
        delete p;
    return sum;
}

int deleted_by_index(int n) {
    std::vector<item *> all;
    for (int i = 0; i < n; i++)
        all.push_back(new item); // OK
    for (size_t i = 0; i < all.size(); i++)
        delete all[i];
    all.clear();
    return n;
}

int deleted_by_for_each(int n) {
    std::vector<item *> all;
    for (int i = 0; i < n; i++)
        all.push_back(new item); // OK
    std::for_each(all.begin(), all.end(), [](item *p) { delete p; });
    return n;
}

int cleared_without_deleting(int n) { // n=2
    std::vector<item *> all;
    for (int i = 0; i < n; i++)
        all.push_back(new item); // LEAK cleared
    all.clear();                 // LOST cleared
    return n;
}

int all_but_the_first(int n) { // n=3
    std::vector<item *> all;
    all.push_back(new item); // LEAK first
    all.push_back(new item); // OK
    for (size_t i = 1; i < all.size(); i++)
        delete all[i];
    return n;
}

int popped_and_forgotten(int n) {
    std::vector<item *> all;
    all.push_back(new item); // LEAK popped
    all.back()->value = n;
    all.pop_back(); // LOST popped
    return n;
}

int popped_and_deleted(int n) {
    std::vector<item *> all;
    all.push_back(new item); // OK
    all.back()->value = n;
    delete all.back();
    all.pop_back();
    return n;
}

int overwritten_element(int n) {
    std::vector<item *> all(2);
    all[0] = new item; // LEAK overwritten
    all[0] = new item; // OK; LOST overwritten
    all[0]->value = n;
    delete all[0];
    return n;
}

int resized_to_nothing(int n) {
    std::vector<item *> all;
    all.push_back(new item); // LEAK resized
    all.resize(0);
    return n;
}

void deleted_twice() {
    std::vector<item *> all;
    item *p = new item;
    all.push_back(p);
    delete p;
    for (item *q : all)
        delete q; // DOUBLE-FREE
}

void same_pointer_twice() {
    std::vector<item *> all;
    item *p = new item;
    all.push_back(p);
    all.push_back(p);
    delete all[0];
    delete all[1]; // DOUBLE-FREE
}

int read_after_delete(int n) {
    std::vector<item *> all;
    all.push_back(new item);
    all[0]->value = n;
    delete all[0];
    return all[0]->value; // USE-AFTER-FREE
}

int owned_by_its_elements(int n) {
    std::vector<std::unique_ptr<item>> all;
    for (int i = 0; i < n; i++)
        all.push_back(std::make_unique<item>()); // OK
    all.emplace_back(new item);                  // OK
    all[0]->value = n;
    return all[0]->value;
}

int taken_out_of_an_element(int n) {
    std::vector<std::unique_ptr<item>> all;
    all.push_back(std::make_unique<item>()); // LEAK element
    item *p = all[0].release();
    p->value = n;
    return p->value;
}

int taken_out_and_deleted(int n) {
    std::vector<std::unique_ptr<item>> all;
    all.push_back(std::make_unique<item>()); // OK
    item *p = all[0].release();
    p->value = n;
    delete p;
    return n;
}

std::vector<item *> returned(int n) { // asan: leak, by the caller
    std::vector<item *> all;
    all.push_back(new item); // OK
    all[0]->value = n;
    return all;
}

int moved_and_deleted(int n) {
    std::vector<item *> all;
    all.push_back(new item); // OK
    std::vector<item *> other = std::move(all);
    other[0]->value = n;
    for (auto *p : other)
        delete p;
    return n;
}

int copied_and_deleted_once(int n) {
    std::vector<item *> all;
    all.push_back(new item); // OK
    std::vector<item *> other = all;
    other[0]->value = n;
    delete other[0];
    return n;
}

int swapped_and_deleted(int n) {
    std::vector<item *> all, other;
    all.push_back(new item); // OK
    all.swap(other);
    for (auto *p : other)
        delete p;
    return n;
}

int nested(int n) {
    std::vector<std::vector<std::string>> rows(3);
    rows[0].push_back("a longer string than fits inside");
    rows.push_back(rows[0]);
    return static_cast<int>(rows.size()) + n;
}

struct bag {
    std::vector<item *> items;
    void add(item *i) { items.push_back(i); }
    ~bag() {
        for (item *p : items)
            delete p;
    }
};

void bag_deletes() {
    bag b;
    b.add(new item); // OK
    b.add(new item); // OK
}

struct leaky_bag {
    std::vector<item *> items;
    void add(item *i) { items.push_back(i); }
};

void bag_forgets() {
    leaky_bag b;
    b.add(new item); // LEAK bag
}

static void deletes_the_third(std::vector<item *> v) { delete v[2]; }

void inserted_many_times() {
    item *i = new item; // OK
    std::vector<item *> v;
    v.insert(v.end(), 1, i);
    v.insert(v.end(), 1, i);
    v.insert(v.end(), 1, i);
    deletes_the_third(v);
}

void inserted_and_forgotten() {
    std::vector<item *> v;
    v.insert(v.end(), 1, new item); // LEAK inserted
}
