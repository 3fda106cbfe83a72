// Owners inside of owners: classes that hold containers of owning objects.
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct leaf {
    std::string name;
    int *data;
    explicit leaf(const char *s) : name(s), data(new int(1)) {} // OK
    ~leaf() { delete data; }
    leaf(const leaf &) = delete;
    leaf &operator=(const leaf &) = delete;
};

struct branch {
    std::vector<std::unique_ptr<leaf>> leaves;
    std::map<std::string, leaf *> by_name; // borrowed
    leaf *add(const char *name) {
        leaves.push_back(std::make_unique<leaf>(name)); // OK
        leaf *l = leaves.back().get();
        by_name[l->name] = l;
        return l;
    }
};

int branch_owns_its_leaves(int n) {
    branch b;
    leaf *l = b.add("one");
    b.add("two");
    *l->data = n;
    return *l->data;
}

struct tree {
    std::list<branch> branches;
    std::shared_ptr<leaf> root = std::make_shared<leaf>("root"); // OK
};

int tree_of_branches(int n) {
    tree t;
    t.branches.emplace_back();
    t.branches.back().add("one");
    auto keep = t.root;
    return *keep->data + n;
}

struct raw_branch {
    std::vector<leaf *> leaves;
    ~raw_branch() {
        for (auto *l : leaves)
            delete l;
    }
    void add(const char *name) { leaves.push_back(new leaf(name)); } // OK
    void drop_last() {
        delete leaves.back();
        leaves.pop_back();
    }
};

int raw_branch_deletes(int n) {
    raw_branch b;
    b.add("one");
    b.add("two");
    b.drop_last();
    return static_cast<int>(b.leaves.size()) + n;
}

struct forgetful_branch {
    std::vector<leaf *> leaves;
    ~forgetful_branch() { leaves.clear(); }
    void add(const char *name) { leaves.push_back(new leaf(name)); } // LEAK forgetful
};

int forgetful_branch_forgets(int n) { // asan: leak
    forgetful_branch b;
    b.add("one");
    return n;
}

struct cache {
    std::map<int, std::unique_ptr<leaf>> all;
    leaf *get(int key) {
        auto it = all.find(key);
        if (it != all.end()) return it->second.get();
        auto l = std::make_unique<leaf>("cached"); // OK
        leaf *raw = l.get();
        all[key] = std::move(l);
        return raw;
    }
};

int cached(int n) {
    cache c;
    return *c.get(n)->data + *c.get(n)->data;
}

struct observer {
    virtual ~observer() {}
    virtual void seen(int) = 0;
};

struct subject {
    std::vector<observer *> observers; // borrowed
    void attach(observer *o) { observers.push_back(o); }
    void tell(int n) {
        for (auto *o : observers)
            o->seen(n);
    }
};

struct counter : observer {
    int sum = 0;
    void seen(int n) override { sum += n; }
};

int observed(int n) {
    subject s;
    counter c;
    s.attach(&c);
    s.tell(n);
    return c.sum;
}

int observer_forgotten(int n) {
    subject s;
    counter *c = new counter; // MISSED observer (the loop over the elements is unknown code to the caller, nor at audit)
    s.attach(c);
    s.tell(n);
    return c->sum;
}

int observer_deleted(int n) {
    subject s;
    auto c = std::make_unique<counter>(); // OK
    s.attach(c.get());
    s.tell(n);
    return c->sum;
}
