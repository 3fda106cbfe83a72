// What a path decides inside of library code that no model describes is never sure; types whose code
// says all are walked through.
#include <any>
#include <memory>
#include <utility>

struct item {
    int value = 0;
};

int through_anything(int n) { // n=5
    item *raw = new item; // LEAK any LIKELY because LIBRARY_CODE
    std::any a = n;
    if (a.has_value() && n > 3) return 0;
    a.reset();
    delete raw;
    return 1;
}

int through_a_shared_pointer(int n) { // n=5
    item *raw = new item; // LEAK shared
    std::shared_ptr<item> counted(new item); // OK
    counted->value = n;
    if (counted->value > 3) return 0;
    delete raw;
    return 1;
}

int through_a_unique_pointer(int n) { // n=5
    item *raw = new item; // LEAK unique
    std::unique_ptr<item> owner(new item); // OK
    owner->value = n;
    if (owner->value > 3) return 0;
    delete raw;
    return 1;
}

int through_a_pair(int n) { // n=5
    std::pair<item *, int> p(new item, n); // LEAK pair
    if (p.second > 3) return 0;
    delete p.first;
    return 1;
}
