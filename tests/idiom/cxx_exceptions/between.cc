// An exception between new and delete skips the delete.
#include <stdexcept>

struct buffer {
    char bytes[64];
};

void check(int n);

static void refuse(int n) {
    if (n > 10)
        throw std::runtime_error("too many");
}

void thrown_between(int n) {
    buffer *b = new buffer; // LEAK thrown
    refuse(n);              // LOST thrown
    delete b;
} // LOST thrown

void caught_and_deleted(int n) {
    buffer *b = new buffer; // OK
    try {
        refuse(n);
    } catch (...) {
        delete b;
        throw;
    }
    delete b;
}

int caught_and_forgotten(int n) {
    buffer *b = new buffer; // LEAK caught
    try {
        refuse(n);
    } catch (const std::exception &) {
        return -1; // LOST caught
    }
    delete b;
    return 0;
}

struct holder {
    buffer *b;
    holder() : b(new buffer) { // OK
    }
    ~holder() {
        delete b;
    }
};

void unwound(int n) {
    holder h;
    refuse(n);
}

void thrown_here(int n) {
    buffer *b = new buffer; // LEAK here
    if (n < 0)
        throw n; // LOST here
    delete b;
}

void deleted_before_the_throw(int n) {
    buffer *b = new buffer; // OK
    if (n < 0) {
        delete b;
        throw n;
    }
    delete b;
}
