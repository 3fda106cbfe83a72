// Objects whose destructor releases, or forgets, what they own.
#include <cstring>

class text {
    char *bytes;

  public:
    explicit text(const char *s) : bytes(new char[strlen(s) + 1]) { // ALSO bytes
        strcpy(bytes, s);
    }
    ~text() {
        delete[] bytes;
    }
    text(const text &) = delete;
    text &operator=(const text &) = delete;
    char first() const {
        return bytes[0];
    }
};

char local_object(const char *s) {
    text t(s);
    return t.first();
}

char heap_object(const char *s) {
    text *t = new text(s); // OK
    char c = t->first();
    delete t;
    return c;
}

char heap_object_forgotten(const char *s) {
    text *t = new text(s); // LEAK object
    return t->first();     // LOST object; LOST bytes
}

class forgetful {
    char *bytes;
    int *numbers;

  public:
    forgetful() : bytes(new char[8]), numbers(new int[4]) { // LEAK numbers
    }
    ~forgetful() {
        delete[] bytes;
    } // LOST numbers
};

void destructor_forgets_a_member() {
    forgetful f;
} // LOST numbers

class pair {
    text *a;
    text *b;

  public:
    explicit pair(const char *s) : a(new text(s)), b(new text(s)) { // OK
    }
    ~pair() {
        delete a;
        delete b;
    }
};

void nested_objects(const char *s) {
    pair p(s);
}
