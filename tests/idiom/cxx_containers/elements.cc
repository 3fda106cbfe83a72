// Raw pointers and descriptors that travel in the containers of the library, also by value.
#include <fcntl.h>
#include <list>
#include <map>
#include <stdlib.h>
#include <string>
#include <unistd.h>
#include <vector>

static void free_third(std::vector<char *> v) { free(v[2]); }
static void look_at_third(std::vector<char *> v) { v[2][0] = 0; }
static void close_last(std::list<int> l) { close(l.back()); }
static void forget_last(std::list<int> l) { (void)l.back(); }
static void delete_last(std::list<int *> l) { delete l.back(); }
static void free_second(std::map<int, char *> m) { free(m[1]); }
static void pass_on(std::map<int, char *> m) { free_second(m); }

void freed_from_a_vector_by_value() {
    char *p = (char *)malloc(8);
    std::vector<char *> v;
    v.insert(v.end(), 1, p);
    v.insert(v.end(), 1, p);
    v.push_back(p);
    free_third(v);
}

void only_looked_at_in_a_vector() {
    char *p = (char *)malloc(8); // LEAK looked
    std::vector<char *> v(0);
    std::vector<char *> w;
    w.push_back(p);
    w.push_back(p);
    w.push_back(p);
    if (p)
        look_at_third(w);
} // LOST looked

void closed_from_a_list_by_value() {
    int fd = open("f", O_RDONLY);
    std::list<int> l;
    l.push_back(-1);
    l.push_back(fd);
    close_last(l);
}

void descriptor_forgotten_in_a_list() {
    int fd = open("f", O_RDONLY); // RESOURCE-LEAK fd
    std::list<int> l;
    l.push_back(fd);
    forget_last(l);
} // LOST fd

void deleted_from_a_list_by_value() {
    std::list<int *> l;
    l.push_back(new int(1));
    delete_last(l);
}

void released_otherwise_than_made() {
    int *p = (int *)malloc(sizeof *p);
    std::list<int *> l;
    l.push_back(p);
    if (p)
        delete_last(l); // MISMATCHED-FREE
}

void freed_from_a_map_by_value() {
    std::map<int, char *> m;
    m[0] = NULL;
    m[1] = (char *)malloc(8);
    pass_on(m);
}

void other_key_freed() {
    std::map<int, char *> m;
    m[0] = (char *)malloc(8); // LEAK key
    m[1] = (char *)malloc(8);
    free_second(m);
} // LOST key

void all_deleted_in_a_loop(int n) {
    std::vector<int *> v;
    for (int i = 0; i < n; i++)
        v.push_back(new int(i));
    for (int *p : v)
        delete p;
}

void all_deleted_by_index(int n) {
    std::vector<int *> v;
    for (int i = 0; i < n; i++)
        v.push_back(new int(i));
    for (size_t i = 0; i < v.size(); i++)
        delete v[i];
}

void popped_until_empty(int n) {
    std::vector<int *> v;
    for (int i = 0; i < n; i++)
        v.push_back(new int(i));
    while (!v.empty()) {
        delete v.back();
        v.pop_back();
    }
}

void list_walked() {
    std::list<int *> l;
    l.push_front(new int(1));
    l.push_front(new int(2));
    for (std::list<int *>::iterator i = l.begin(); i != l.end(); ++i)
        delete *i;
}

void by_name(const std::string &name) {
    std::map<std::string, int *> m;
    m[name] = new int(1);
    m["other"] = new int(2);
    for (auto &entry : m)
        delete entry.second;
}

void one_of_two_deleted() {
    std::vector<int *> v;
    v.push_back(new int(1));
    v.push_back(new int(2)); // LEAK second
    delete v.front();
} // LOST second

void deleted_twice() {
    std::vector<int *> v;
    v.push_back(new int(1));
    delete v[0];
    delete v.back(); // DOUBLE-FREE
}

struct Owner {
    std::vector<int *> all;
    void take(int *p) { all.push_back(p); }
    ~Owner() {
        for (size_t i = 0; i < all.size(); i++)
            delete all[i];
    }
};

void given_to_an_owner() {
    Owner o;
    o.take(new int(1));
    o.take(new int(2));
}

struct Careless {
    std::vector<int *> all;
    void take(int *p) { all.push_back(p); }
};

void given_to_a_careless_one() {
    Careless c;
    c.take(new int(1)); // LEAK careless
} // LOST careless

std::vector<int *> handed_back() {
    std::vector<int *> v;
    v.push_back(new int(1));
    return v;
}

void moved_on() {
    std::vector<int *> v = handed_back();
    std::vector<int *> w = std::move(v);
    delete w[0];
}

void erased_and_sorted_elsewhere(std::vector<int *> &v) {
    v.push_back(new int(1));
    v.erase(v.begin());
}
