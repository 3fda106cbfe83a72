// Containers of raw pointers do not delete what they hold.
#include <list>
#include <vector>

struct item {
    int value = 0;
};

int deleted_one_by_one(int n) {
    std::vector<item *> all;
    for (int i = 0; i < n; i++)
        all.push_back(new item); // OK
    int sum = 0;
    for (item *p : all) {
        sum += p->value;
        delete p;
    }
    return sum;
}

int forgotten_in_a_vector(int n) {
    std::vector<item *> all;
    all.push_back(new item); // LEAK vector
    all[0]->value = n;
    return all[0]->value; // LOST vector
} // LOST vector

class bag {
    std::vector<item *> items;

  public:
    void add(item *i) {
        items.push_back(i);
    }
    ~bag() {
        for (item *p : items)
            delete p;
    }
};

void bag_deletes() {
    bag b;
    b.add(new item); // OK
}

void values_not_pointers(int n) {
    std::list<item> all;
    for (int i = 0; i < n; i++)
        all.push_back(item());
}
