// Smart pointers release by themselves, unless the pointer is taken out of them.
#include <memory>

struct node {
    int value = 0;
};

int released_by_itself(int n) {
    std::unique_ptr<node> p(new node); // OK
    if (n < 0)
        return -1;
    p->value = n;
    return p->value;
}

int made_and_moved(int n) {
    auto p = std::make_unique<node>(); // OK
    auto q = std::move(p);
    q->value = n;
    return q->value;
}

int taken_out_and_forgotten(int n) {
    std::unique_ptr<node> p(new node); // LEAK released
    p->value = n;
    node *raw = p.release();
    return raw->value; // LOST released
}

int taken_out_and_deleted(int n) {
    std::unique_ptr<node> p(new node); // OK
    p->value = n;
    node *raw = p.release();
    int r = raw->value;
    delete raw;
    return r;
}

int replaced(int n) {
    std::unique_ptr<node> p(new node); // OK
    p.reset(new node);                 // OK
    p->value = n;
    return p->value;
}
