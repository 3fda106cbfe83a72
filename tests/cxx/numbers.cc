// Conditions that are asked twice have one answer.
#include <cstdint>
#include <memory>
#include <string>

struct flagged {
    bool owned = false;
    uint16_t count = 0;
    int *data = nullptr;
    int use(const std::string &s);
};

static int size_of(const std::string &s) {
    return static_cast<int>(s.size());
}

int flagged::use(const std::string &s) {
    int *p = nullptr;
    if (owned) p = new int(1); // OK
    int n = size_of(s);
    if (owned) {
        n += *p;
        delete p;
    }
    return n;
}

int narrowed(int n) {
    flagged f;
    f.count = static_cast<uint16_t>(n);
    int *p = nullptr;
    if (f.count > 1) p = new int[f.count]; // OK
    int r = f.count;
    if (f.count <= 1) return r;
    p[0] = n;
    r = p[0];
    delete[] p;
    return r;
}

int narrowed_parameter(uint16_t n) {
    int *p = n > 1 ? new int[n] : nullptr; // OK
    int k = n;
    if (k > 1) {
        k = 0;
        delete[] p;
    }
    return k;
}

int narrowed_and_forgotten(uint16_t n) { // n=2
    int *p = n > 1 ? new int[n] : nullptr; // LEAK narrowed
    if (n > 2) {
        delete[] p;
        return 1;
    }
    return 0;
}

int size_asked_twice(const std::string &s) {
    char *p = nullptr;
    if (!s.empty()) p = new char[s.size()]; // OK
    int r = 0;
    if (!s.empty()) {
        r = 1;
        delete[] p;
    }
    return r;
}

int length_asked_twice(const std::string &s) {
    char *p = nullptr;
    if (s.size() > 3) p = new char[s.size()]; // OK
    int r = 0;
    if (s.size() > 3) {
        r = 1;
        delete[] p;
    }
    return r;
}

int pointer_asked_twice(const std::unique_ptr<int> &u) {
    int *p = nullptr;
    if (u) p = new int(*u); // OK
    int r = 0;
    if (u) {
        r = *p;
        delete p;
    }
    return r;
}
