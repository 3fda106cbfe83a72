// Copies of an owning class: shared pointer deleted twice, assignment that forgets the old one.
#include <cstring>

struct shallow {
    char *p;
    shallow() : p(new char[4]) {
    }
    ~shallow() {
        delete[] p;
    }
};

void copied_shallowly() {
    shallow a;
    shallow b = a;
    (void)b;
} // DOUBLE-FREE

struct deep {
    char *p;
    deep() : p(new char[4]) { // OK
    }
    deep(const deep &other) : p(new char[4]) { // OK
        memcpy(p, other.p, 4);
    }
    deep &operator=(const deep &other) {
        if (this != &other)
            memcpy(p, other.p, 4);
        return *this;
    }
    ~deep() {
        delete[] p;
    }
};

void copied_deeply() {
    deep a;
    deep b = a;
    b = a;
}

struct forgetful {
    char *p;
    forgetful() : p(new char[4]) { // LEAK old
    }
    forgetful(const forgetful &) = delete;
    forgetful &operator=(const forgetful &other) {
        p = new char[4]; // LOST old
        memcpy(p, other.p, 4);
        return *this;
    }
    ~forgetful() {
        delete[] p;
    }
};

void assigned_without_release() {
    forgetful a, b;
    b = a; // LOST old
}
