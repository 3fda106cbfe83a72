// Counted owners inside of other objects: members, containers, trees with weak parents, documents.
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

struct item {
    int value = 0;
    ~item() { value = -1; }
};

struct holder {
    std::shared_ptr<item> part;
    std::vector<std::shared_ptr<item>> parts;
};

static void drop(holder *h) { delete h; }

int member_of_a_holder(int n) {
    auto h = std::make_unique<holder>();
    h->part = std::make_shared<item>(); // OK
    return n;
}

int deleted_elsewhere(int n) {
    auto *h = new holder;
    h->part = std::make_shared<item>();            // OK
    h->parts.push_back(std::make_shared<item>());  // OK
    drop(h);
    return n;
}

int holder_never_deleted(int n) {
    auto *h = new holder; // LEAK holder
    h->part = std::make_shared<item>(); // ALSO part
    return n;
}

int shared_by_two_holders(int n) {
    auto a = std::make_unique<holder>();
    auto b = std::make_unique<holder>();
    a->part = std::make_shared<item>(); // OK
    b->part = a->part;
    a.reset();
    b->part->value = n;
    return b->part->value;
}

int used_after_both_are_gone(int n) {
    auto a = std::make_unique<holder>();
    auto b = std::make_unique<holder>();
    a->part = std::make_shared<item>();
    b->part = a->part;
    item *raw = a->part.get();
    raw->value = n;
    a.reset();
    b.reset();
    return raw->value; // USE-AFTER-FREE
}

struct table {
    std::map<int, std::shared_ptr<item>> items;
    void put(std::shared_ptr<item> i) { items[static_cast<int>(items.size()) + 1] = i; }
    std::shared_ptr<item> put_and_get(std::shared_ptr<item> i) {
        int id = static_cast<int>(items.size()) + 1;
        items[id] = i;
        return items[id];
    }
};

int in_a_table(int n) {
    table t;
    t.put(std::make_shared<item>()); // OK
    t.put(std::make_shared<item>()); // OK
    t.put_and_get(std::make_shared<item>()); // OK
    return n;
}

int in_a_table_on_the_heap(int n) {
    auto t = std::make_unique<table>();
    t->items[n] = std::make_shared<item>(); // OK
    t->items[n] = std::make_shared<item>(); // OK
    return n;
}

struct tree : std::enable_shared_from_this<tree> {
    std::weak_ptr<tree> parent;
    std::vector<std::shared_ptr<tree>> kids;
    std::shared_ptr<tree> add() {
        auto t = std::make_shared<tree>(); // OK
        t->parent = shared_from_this();
        kids.push_back(t);
        return t;
    }
};

int tree_with_weak_parents(int n) {
    auto root = std::make_shared<tree>(); // OK
    auto kid = root->add();
    kid.reset();
    return n;
}

struct knot {
    std::shared_ptr<knot> parent;
    std::vector<std::shared_ptr<knot>> kids;
};

void tree_with_strong_parents() {
    auto root = std::make_shared<knot>(); // LEAK strong
    auto kid = std::make_shared<knot>();  // ALSO strong_kid
    kid->parent = root;
    root->kids.push_back(kid);
}

struct body {
    std::map<int, std::shared_ptr<item>> objects;
    std::shared_ptr<item> last;
    std::set<int> seen;
};

class document {
    std::shared_ptr<body> m;

  public:
    document() : m(new body) {}
    static std::shared_ptr<document> create() { return std::make_shared<document>(); } // OK
    void add(int n) {
        m->last = std::make_shared<item>(); // OK
        m->objects[n] = m->last;
        m->seen.insert(n);
    }
    std::shared_ptr<item> get(int n) {
        auto it = m->objects.find(n);
        if (it == m->objects.end())
            throw std::runtime_error("no such object");
        return it->second;
    }
};

int documents(int n) {
    auto d = document::create();
    for (int i = 0; i < n; i++)
        d->add(i);
    auto i = d->get(0);
    d.reset();
    return i->value;
}

struct base {
    virtual ~base() {}
    virtual std::shared_ptr<base> copy() = 0;
};

struct square : base {
    std::unique_ptr<int[]> data{new int[3]};
    std::shared_ptr<base> copy() override { return std::make_shared<square>(); } // OK
};

struct square_by_new : base {
    int *data = new int[3]; // OK
    ~square_by_new() override { delete[] data; }
    std::shared_ptr<base> copy() override { return std::shared_ptr<base>(new square_by_new); } // OK
};

static std::shared_ptr<base> make(int n) {
    if (n == 1)
        return std::make_shared<square>(); // OK
    return std::shared_ptr<base>(new square_by_new); // OK
}

int copies_of_copies(int n) {
    auto a = make(n);
    auto b = a->copy();
    a = b->copy();
    b = nullptr;
    return a != nullptr;
}

struct link {
    int value = 0;
    std::shared_ptr<link> next;
};

int chain(int n) {
    std::shared_ptr<link> head;
    for (int i = 0; i < n; i++) {
        auto l = std::make_shared<link>(); // OK
        l->value = i;
        l->next = head;
        head = l;
    }
    int total = 0;
    for (auto p = head; p; p = p->next)
        total += p->value;
    while (head)
        head = head->next;
    return total;
}
