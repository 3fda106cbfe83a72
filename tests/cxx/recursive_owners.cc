// Owners of owners: what ends them calls itself, and whoever holds such a tree is looked at all the same.
// run: --level=likely
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct value {
    int kind = 0;
    std::string text;
    std::vector<std::unique_ptr<value>> items;
    std::map<std::string, std::unique_ptr<value>> members;
};

static std::unique_ptr<value> parse(int n) {
    auto v = std::make_unique<value>(); // OK
    if (n > 0)
        v->items.push_back(parse(n - 1));
    else if (n == 0)
        v->text = "end";
    else
        throw std::runtime_error("what is this?");
    return v;
}

static int count(const value &v) {
    int n = 1;
    for (const auto &i : v.items)
        n += count(*i);
    for (const auto &m : v.members)
        n += count(*m.second);
    return n;
}

int parsed(int n) {
    try {
        auto v = parse(n);
        return count(*v);
    } catch (const std::exception &) {
        return -1;
    }
}

int beside_a_tree(int n) {
    auto v = parse(n & 3);
    int *lost = new int(n); // LEAK beside
    return count(*v) + *lost; // LOST beside
}

int deleted_beside_a_tree(int n) {
    auto v = parse(n & 3);
    int *kept = new int(n); // OK
    int r = count(*v) + *kept;
    delete kept;
    return r;
}

struct list {
    int value = 0;
    std::unique_ptr<list> next;
};

int after_a_list(int n) {
    auto first = std::make_unique<list>(); // OK
    first->next = std::make_unique<list>(); // OK
    first->next->next = std::make_unique<list>(); // OK
    first.reset();
    int *lost = new int(n); // LEAK after
    return *lost; // LOST after
}
