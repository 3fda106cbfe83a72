// pair, tuple, optional, variant, any.
#include <any>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

struct item {
    int value = 0;
};

int pair_forgotten(int n) {
    std::pair<int, item *> p(n, new item); // LEAK pair
    p.second->value = n;
    return p.second->value;
}

int pair_deleted(int n) {
    auto p = std::make_pair(n, new item); // OK
    p.second->value = n;
    delete p.second;
    return n;
}

int pair_of_owners(int n) {
    std::pair<std::unique_ptr<item>, std::unique_ptr<item>> p(
        std::make_unique<item>(), std::make_unique<item>()); // OK
    p.first->value = n;
    return p.first->value;
}

int tuple_forgotten(int n) {
    std::tuple<int, item *> t(n, new item); // LEAK tuple
    return std::get<0>(t) + std::get<1>(t)->value;
}

int tuple_deleted(int n) {
    std::tuple<int, item *, int> t(n, new item, 3); // OK
    delete std::get<1>(t);
    return n;
}

static std::tuple<int, item *> make(int n) {
    return std::make_tuple(n, new item);
}

int tied(int n) {
    item *i = nullptr;
    int k = 0;
    std::tie(k, i) = make(n); // OK
    int r = i->value + k;
    delete i;
    return r;
}

int structured_binding_forgotten(int n) {
    auto [k, i] = make(n); // LEAK binding
    return k + i->value;
}

int optional_pointer_forgotten(int n) {
    std::optional<item *> o;
    o = new item; // LEAK optional
    (*o)->value = n;
    return (*o)->value;
}

int optional_pointer_deleted(int n) {
    std::optional<item *> o = new item; // OK
    if (o) delete *o;
    return n;
}

int optional_owner(int n) {
    std::optional<std::unique_ptr<item>> o;
    o.emplace(new item); // OK
    (*o)->value = n;
    o.reset();
    return n;
}

int optional_string(int n) {
    std::optional<std::string> o;
    if (n > 0) o = "some text that is longer than the small buffer";
    return o ? static_cast<int>(o->size()) : 0;
}

int variant_owner(int n) {
    std::variant<int, std::unique_ptr<item>> v;
    v = std::make_unique<item>(); // OK
    v = n;
    return std::get<int>(v);
}

int variant_pointer_overwritten(int n) {
    std::variant<int, item *> v;
    v = new item; // LEAK variant
    v = n;
    return std::get<int>(v);
}

int variant_pointer_deleted(int n) {
    std::variant<int, item *> v;
    v = new item; // OK
    if (auto *p = std::get_if<item *>(&v)) delete *p;
    return n;
}

int any_owner(int n) {
    std::any a = std::make_shared<item>(); // OK
    a = n;
    return std::any_cast<int>(a);
}

int any_of_a_string(int n) {
    std::any a = std::string("some text that is longer than the small buffer");
    std::any b = a;
    return b.has_value() ? n : 0;
}
