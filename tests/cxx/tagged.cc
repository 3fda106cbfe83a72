// Objects whose kind is told by a text, an enumeration or a flag in them, and that release by it.
// run: --level=likely -- -std=c++17
#include <memory>
#include <string>
#include <utility>

struct tcp_part { int port = 0; };
struct ipc_part { int path[4] = {}; };

namespace kinds {
static const char tcp[] = "tcp";
static const char ipc[] = "ipc";
}

struct address {
    const std::string kind;
    union {
        void *any;
        tcp_part *tcp;
        ipc_part *ipc;
    } part;
    explicit address(const std::string &k) : kind(k) { part.any = nullptr; }
    ~address() {
        if (kind == kinds::tcp) {
            delete part.tcp;
            part.tcp = nullptr;
        } else if (kind == kinds::ipc) {
            delete part.ipc;
            part.ipc = nullptr;
        }
    }
};

int released_by_its_text(const std::string &kind) {
    address *a = new address(kind); // OK
    if (kind == kinds::tcp)
        a->part.tcp = new tcp_part; // OK
    else if (kind == kinds::ipc)
        a->part.ipc = new ipc_part; // OK
    int r = a->part.any != nullptr;
    delete a;
    return r;
}

int a_kind_that_is_not_released(const std::string &kind) { // asan: none
    address *a = new address(kind); // OK
    if (kind == kinds::tcp)
        a->part.tcp = new tcp_part; // OK
    else if (kind == "udp")
        a->part.any = new int(3); // LEAK udp
    int r = a->part.any != nullptr;
    delete a;
    return r;
}

struct holder {
    std::string name;
    int *data = nullptr;
    void set(const std::string &n) {
        name = n;
        if (name == "owned") data = new int(2); // OK
    }
    ~holder() {
        if (name == "owned") delete data;
    }
};

int released_by_its_name(const std::string &s) {
    holder h;
    h.set(s);
    return h.data ? *h.data : 0;
}

int renamed_before(const std::string &s) { // asan: none
    holder h;
    h.name = s;
    int *p = nullptr;
    if (s == "one") p = new int(1); // OK
    int r = p ? *p : 0;
    if (h.name == "one") delete p;
    return r;
}

int asked_twice(const std::string &s) {
    int *p = nullptr;
    if (s == "one") p = new int(1); // OK
    int r = p ? *p : 0;
    if (s == "one") delete p;
    return r;
}

int asked_for_another_text(const std::string &s) { // asan: none
    int *p = nullptr;
    if (s == "one") p = new int(1); // LEAK another
    int r = p ? *p : 0;
    if (s == "two") delete p;
    return r;
}

int made_for_all_and_released_for_one(const std::string &s) {
    int *p = new int(1); // LEAK all
    int r = *p;
    if (s == "one") delete p;
    return r;
}

int left_where_it_differs(const std::string &s) {
    int *p = nullptr;
    if (s == "one") p = new int(1); // OK
    if (s != "one") return 0;
    int r = *p;
    delete p;
    return r;
}

int asked_of_a_copy(const std::string &s) {
    std::string t = s, u;
    u = t;
    int *p = nullptr;
    if (s == "one") p = new int(1); // OK
    int r = p ? *p : 0;
    if (u == "one") delete p;
    return r;
}

int a_copy_that_was_changed(const std::string &s) {
    std::string t = s;
    int *p = nullptr;
    if (s == t) p = new int(1); // LEAK changed
    int r = p ? *p : 0;
    t += "more";
    if (s == t) delete p;
    return r;
}

int moved_along(const std::string &s) {
    std::string t = s;
    int *p = nullptr;
    if (t == "one") p = new int(1); // OK
    int r = p ? *p : 0;
    std::string u = std::move(t);
    if (u == "one") delete p;
    return r;
}

int set_to_a_text(int n) {
    std::string s = "one";
    int *p = nullptr;
    if (n > 3) s = "two";
    if (s == "two") p = new int(1); // OK
    int r = p ? *p : 0;
    if (n > 3) delete p;
    return r;
}

int two_texts_alike(const std::string &s) {
    const std::string &t = s;
    int *p = nullptr;
    if (s == t) p = new int(1); // OK
    int r = p ? *p : 0;
    if (s.compare(t) == 0) delete p;
    return r;
}

// The text that a copy has lent is not the original's.
int text_of_a_copy(const std::string &s) {
    std::string t = s;
    const char *p = t.c_str();
    {
        std::string u = t;
        u += "more";
    }
    return p[0];
}

int left_where_it_is_empty(const std::string &s) { // asan: none
    int *p = new int(1); // LEAK empty
    if (s.empty()) return 0; // LOST empty; WHEN: s.empty()
    int r = *p;
    delete p;
    return r;
}

int left_where_it_has_text(const std::string &s) {
    int *p = new int(1); // LEAK full
    if (!s.empty()) return 0; // LOST full; WHEN: !s.empty()
    int r = *p;
    delete p;
    return r;
}

int left_for_one_text(const std::string &s) { // asan: none
    int *p = new int(1); // LEAK one
    if (s == "one") return 0; // LOST one; WHEN: s == "one"
    int r = *p;
    delete p;
    return r;
}
