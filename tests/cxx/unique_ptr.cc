// std::unique_ptr releases what it holds, unless the pointer is taken out of it.
#include <memory>
#include <utility>

struct node {
    int value = 0;
    std::unique_ptr<node> next;
};

int released_at_the_end(int n) {
    std::unique_ptr<node> p(new node); // OK
    p->value = n;
    return p->value;
}

int taken_out_and_forgotten(int n) {
    std::unique_ptr<node> p(new node); // LEAK taken
    p->value = n;
    node *raw = p.release();
    return raw->value; // LOST taken
}

int taken_out_and_put_back(int n) {
    std::unique_ptr<node> p(new node); // OK
    node *raw = p.release();
    raw->value = n;
    p.reset(raw);
    return p->value;
}

void result_of_release_not_used() {
    auto p = std::make_unique<node>(); // LEAK unused
    p.release();                       // LOST unused
}

int moved_into_another(int n) {
    auto p = std::make_unique<node>(); // OK
    std::unique_ptr<node> q;
    q = std::move(p);
    q->value = n;
    return q->value;
}

int reset_releases_the_old_one(int n) {
    std::unique_ptr<node> p(new node); // OK
    p.reset(new node);                 // OK
    p->value = n;
    p.reset();
    return n;
}

int used_after_reset(int n) {
    std::unique_ptr<node> p(new node);
    node *raw = p.get();
    raw->value = n;
    p.reset();
    return raw->value; // USE-AFTER-FREE
}

int used_before_reset(int n) {
    std::unique_ptr<node> p(new node); // OK
    node *raw = p.get();
    raw->value = n;
    int r = raw->value;
    p.reset();
    return r;
}

void two_owners_of_one() {
    node *raw = new node;
    std::unique_ptr<node> p(raw);
    std::unique_ptr<node> q(raw);
} // USE-AFTER-FREE (by the destructor, before it is freed again)

void deleted_by_hand_too() {
    std::unique_ptr<node> p(new node);
    delete p.get();
} // USE-AFTER-FREE (by the destructor)

void number_with_two_owners() {
    int *raw = new int(1);
    std::unique_ptr<int> p(raw);
    std::unique_ptr<int> q(raw);
} // DOUBLE-FREE

int swapped(int n) {
    auto p = std::make_unique<node>(); // OK
    auto q = std::make_unique<node>(); // OK
    p->value = n;
    p.swap(q);
    std::swap(p, q);
    return p->value;
}

static std::unique_ptr<node> make(int n) {
    auto p = std::make_unique<node>();
    p->value = n;
    return p;
}

int returned_by_value(int n) {
    auto p = make(n); // OK
    return p->value;
}

static int take(std::unique_ptr<node> p) {
    return p ? p->value : 0;
}

int given_by_value(int n) {
    auto p = make(n); // OK
    return take(std::move(p));
}

int chain_of_owners(int n) {
    auto p = make(n); // OK
    p->next = make(n + 1);
    p->next->next = make(n + 2);
    return p->next->next->value;
}

int link_taken_out(int n) {
    auto p = make(n);
    p->next = make(n + 1); // LEAK link
    node *rest = p->next.release();
    return rest->value;
}

int array_form(int n) {
    std::unique_ptr<int[]> a(new int[4]); // OK
    auto b = std::make_unique<int[]>(4);  // OK
    a[0] = n;
    b[1] = n;
    return a[0] + b[1];
}
