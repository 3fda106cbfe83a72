// Reference counts of the library: what is shared dies with the last owner, cycles never do.
#include <memory>
#include <vector>

struct peer {
    int value = 0;
    std::shared_ptr<peer> other;
    std::weak_ptr<peer> seen;
};

int shared_and_released(int n) {
    std::shared_ptr<peer> p(new peer); // OK
    std::shared_ptr<peer> q = p;
    p->value = n;
    return q->value;
}

int made_shared(int n) {
    auto p = std::make_shared<peer>(); // OK
    auto q = p;
    p.reset();
    q->value = n;
    return q->value;
}

void two_that_hold_each_other() {
    auto a = std::make_shared<peer>(); // LEAK cycle
    auto b = std::make_shared<peer>(); // OK
    a->other = b;
    b->other = a;
}

void holds_itself() {
    auto a = std::make_shared<peer>(); // LEAK itself
    a->other = a;
}

void cycle_broken_by_hand() {
    auto a = std::make_shared<peer>(); // OK
    auto b = std::make_shared<peer>(); // OK
    a->other = b;
    b->other = a;
    a->other.reset();
}

void weak_back_pointer() {
    auto a = std::make_shared<peer>(); // OK
    auto b = std::make_shared<peer>(); // OK
    a->other = b;
    b->seen = a;
}

int used_after_the_last_owner(int n) {
    peer *raw;
    {
        auto a = std::make_shared<peer>();
        a->value = n;
        raw = a.get();
    }
    return raw->value; // USE-AFTER-FREE
}

int used_while_another_owns(int n) {
    peer *raw;
    std::shared_ptr<peer> keep;
    {
        auto a = std::make_shared<peer>(); // OK
        a->value = n;
        raw = a.get();
        keep = a;
    }
    return raw->value;
}

void two_counts_for_one() { // asan: use-after-free
    peer *raw = new peer;
    std::shared_ptr<peer> a(raw);
    std::shared_ptr<peer> b(raw);
} // USE-AFTER-FREE

int locked(int n) {
    auto a = std::make_shared<peer>(); // OK
    std::weak_ptr<peer> w = a;
    a->value = n;
    if (auto b = w.lock())
        return b->value;
    return 0;
}

int lock_after_the_end() {
    std::weak_ptr<peer> w;
    {
        auto a = std::make_shared<peer>(); // OK
        w = a;
    }
    auto b = w.lock();
    return b ? b->value : 0;
}

int part_keeps_the_whole(int n) {
    std::shared_ptr<int> part;
    {
        auto a = std::make_shared<peer>(); // OK
        a->value = n;
        part = std::shared_ptr<int>(a, &a->value);
    }
    return *part;
}

struct self : std::enable_shared_from_this<self> {
    int value = 0;
    std::shared_ptr<self> me() { return shared_from_this(); }
};

int from_this(int n) {
    auto a = std::make_shared<self>(); // OK
    auto b = a->me();
    a.reset();
    b->value = n;
    return b->value;
}

struct keeps_itself : std::enable_shared_from_this<keeps_itself> {
    std::shared_ptr<keeps_itself> me;
    void keep() { me = shared_from_this(); }
    void drop() { me.reset(); }
};

void kept_by_itself() {
    auto a = std::make_shared<keeps_itself>(); // LEAK kept
    a->keep();
}

void kept_and_dropped() {
    auto a = std::make_shared<keeps_itself>(); // OK
    a->keep();
    a->drop();
}

int in_a_vector(int n) {
    std::vector<std::shared_ptr<peer>> all;
    all.push_back(std::make_shared<peer>()); // OK
    all.push_back(all[0]);
    all[0]->value = n;
    return all[1]->value;
}

struct base {
    virtual ~base() {}
};

struct derived : base {
    int *data = new int[3];
    ~derived() override { delete[] data; }
};

void as_its_base() {
    std::shared_ptr<base> p = std::make_shared<derived>(); // OK
    std::shared_ptr<base> q(new derived);                  // OK
    q = p;
}

int counted(int n) {
    auto a = std::make_shared<peer>(); // OK
    auto b = a;
    return a.use_count() == 2 ? n : -1;
}
