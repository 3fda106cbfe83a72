// Deleting through a base, virtual destructors, members of bases.
#include <memory>
#include <vector>

struct shape {
    virtual ~shape() {}
    virtual int area() const { return 0; }
};

struct box : shape {
    int *sides;
    box() : sides(new int[2]{1, 2}) {} // OK
    ~box() override { delete[] sides; }
    int area() const override { return sides[0] * sides[1]; }
};

int deleted_through_the_base() {
    shape *s = new box; // OK
    int r = s->area();
    delete s;
    return r;
}

int forgotten_through_the_base() {
    shape *s = new box; // LEAK base
    return s->area();
}

int owned_through_the_base() {
    std::unique_ptr<shape> s = std::make_unique<box>(); // OK
    return s->area();
}

struct plain {
    int kind = 0;
    ~plain() {}
};

struct fancy : plain {
    int *data;
    fancy() : data(new int[8]) {} // LEAK novirtual
    ~fancy() { delete[] data; }
};

void base_without_a_virtual_destructor() { // asan: any
    plain *p = new fancy;
    p->kind = 1;
    delete p;
}

void deleted_as_what_it_is() {
    fancy *p = new fancy; // OK
    delete p;
}

struct holder {
    int *data;
    holder() : data(new int(1)) {} // OK
    virtual ~holder() { delete data; }
};

struct more : holder {
    int *extra;
    more() : extra(new int(2)) {} // LEAK extra
    ~more() override {}
};

void derived_destructor_forgets() { // asan: leak
    more m;
    *m.extra = 3;
}

struct careful : holder {
    int *extra;
    careful() : extra(new int(2)) {} // OK
    ~careful() override { delete extra; }
};

void derived_destructor_remembers() {
    careful c;
    *c.extra = 3;
}

struct deletes_again : holder {
    ~deletes_again() override { delete data; } // DOUBLE-FREE
};

void both_delete_it() { // asan: double-free
    deletes_again d;
    *d.data = 1;
}

int many_shapes(int n) {
    std::vector<std::unique_ptr<shape>> all;
    all.push_back(std::make_unique<box>());   // OK
    all.push_back(std::make_unique<shape>()); // OK
    for (auto &s : all)
        n += s->area();
    return n;
}

static shape *create(int kind) {
    if (kind == 1) return new box; // OK
    if (kind == 2) return new shape; // OK
    return nullptr;
}

int made_by_a_factory(int n) {
    shape *s = create(n);
    if (!s) return 0;
    int r = s->area();
    delete s;
    return r;
}

int factory_result_forgotten(int n) { // n=1
    shape *s = create(n); // LEAK factory
    return s ? s->area() : 0;
}

struct left {
    int *l = new int(1); // OK
    virtual ~left() { delete l; }
};
struct right {
    int *r = new int(2); // OK
    virtual ~right() { delete r; }
};
struct both : left, right {};

void two_bases() {
    right *p = new both; // OK
    delete p;
}
