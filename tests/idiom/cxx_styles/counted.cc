// shared_ptr throughout: trees of objects, pipelines, members structs, weak parents, aliasing, casts.
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

class Document;
class Object;

class Value {
  public:
    virtual ~Value() = default;
    virtual std::shared_ptr<Value> copy() = 0;
    virtual std::string unparse() = 0;
    virtual int type() const { return 0; }
};

class Null : public Value {
  public:
    static std::shared_ptr<Value> create() { return std::shared_ptr<Value>(new Null()); }
    std::shared_ptr<Value> copy() override { return create(); }
    std::string unparse() override { return "null"; }

  private:
    Null() = default;
};

class Int : public Value {
  public:
    static std::shared_ptr<Value> create(long v) { return std::make_shared<Int>(v); }
    explicit Int(long v) : v(v) {}
    std::shared_ptr<Value> copy() override { return create(v); }
    std::string unparse() override { return std::to_string(v); }
    int type() const override { return 1; }
    long v;
};

class Handle {
  public:
    Handle() {}
    explicit Handle(std::shared_ptr<Value> const &o) : obj(o) {}
    bool initialized() const { return obj != nullptr; }
    static Handle newInt(long v) { return Handle(Int::create(v)); }
    static Handle newNull() { return Handle(Null::create()); }
    std::string unparse() { return obj ? obj->unparse() : ""; }
    bool isInt() const { return obj && obj->type() == 1; }
    long getInt() {
        auto i = std::dynamic_pointer_cast<Int>(obj);
        if (!i)
            throw std::logic_error("not an int");
        return i->v;
    }
    std::shared_ptr<Value> obj;
};

class Array : public Value {
  public:
    std::vector<Handle> items;
    std::shared_ptr<Value> copy() override {
        auto r = std::make_shared<Array>();
        for (auto &h : items)
            r->items.push_back(h);
        return r;
    }
    std::string unparse() override {
        std::string s;
        for (auto &h : items)
            s += h.unparse();
        return s;
    }
    int type() const override { return 2; }
};

class Dict : public Value {
  public:
    std::map<std::string, Handle> items;
    std::shared_ptr<Value> copy() override {
        auto r = std::make_shared<Dict>();
        r->items = items;
        return r;
    }
    std::string unparse() override { return "dict"; }
    void replace(const std::string &k, Handle v) {
        if (v.initialized())
            items[k] = v;
        else
            items.erase(k);
    }
};

class Pipeline {
  public:
    Pipeline(const char *id, Pipeline *next) : identifier(id), next_(next) {}
    virtual ~Pipeline() = default;
    virtual void write(unsigned char const *data, size_t len) = 0;
    virtual void finish() = 0;

  protected:
    Pipeline *getNext() {
        if (!next_)
            throw std::logic_error(identifier + ": no next");
        return next_;
    }
    std::string identifier;

  private:
    Pipeline *next_;
};

class Discard : public Pipeline {
  public:
    Discard() : Pipeline("discard", nullptr) {}
    void write(unsigned char const *, size_t) override {}
    void finish() override {}
};

class Buffered : public Pipeline {
    class Members {
      public:
        std::shared_ptr<std::vector<unsigned char>> data;
        bool ready = true;
        size_t total = 0;
    };
    std::shared_ptr<Members> m;

  public:
    Buffered(const char *id, Pipeline *next) : Pipeline(id, next), m(new Members) {
        m->data = std::make_shared<std::vector<unsigned char>>();
    }
    void write(unsigned char const *d, size_t n) override {
        m->data->insert(m->data->end(), d, d + n);
        m->total += n;
    }
    void finish() override {
        m->ready = true;
        getNext()->write(m->data->data(), m->data->size());
        getNext()->finish();
    }
    std::shared_ptr<std::vector<unsigned char>> take() {
        auto r = m->data;
        m->data = std::make_shared<std::vector<unsigned char>>();
        return r;
    }
    unsigned char *getMalloc(size_t *n) {
        *n = m->data->size();
        unsigned char *r = nullptr;
        if (*n) {
            r = reinterpret_cast<unsigned char *>(malloc(*n));
            memcpy(r, m->data->data(), *n);
        }
        return r;
    }
};

class Document {
    class Members {
        friend class Document;

      public:
        ~Members() = default;

      private:
        Members() = default;
        Members(Members const &) = delete;
        std::map<int, Handle> objects;
        std::shared_ptr<Dict> trailer;
        std::list<std::function<void(int)>> callbacks;
        std::set<int> fixed;
    };
    std::shared_ptr<Members> m;

  public:
    Document() : m(new Members()) {}
    static std::shared_ptr<Document> create() { return std::make_shared<Document>(); }
    void close() {
        m->objects.clear();
        m->trailer = nullptr;
    }
    Handle makeIndirect(Handle h) {
        if (!h.initialized())
            throw std::logic_error("uninitialized");
        int id = (int)m->objects.size() + 1;
        m->objects[id] = h;
        return m->objects[id];
    }
    Handle get(int id) {
        auto i = m->objects.find(id);
        if (i == m->objects.end())
            return Handle::newNull();
        return i->second;
    }
    void setTrailer() {
        if (!m->trailer)
            m->trailer = std::make_shared<Dict>();
        m->trailer->replace("Size", Handle::newInt(3));
    }
    void onWarning(std::function<void(int)> f) { m->callbacks.push_back(f); }
    Handle trailer() { return Handle(m->trailer); }
};

int documents(int n) {
    auto doc = Document::create();
    for (int i = 0; i < n; i++)
        doc->makeIndirect(Handle::newInt(i));
    doc->setTrailer();
    Handle h = doc->get(n - 1);
    long r = h.isInt() ? h.getInt() : -1;
    Handle t = doc->trailer();
    doc->close();
    auto copy = t.obj->copy();
    return (int)r + (int)copy->unparse().size();
}

int pipelines(int n) {
    Discard d;
    std::shared_ptr<Pipeline> last;
    Pipeline *p = &d;
    std::vector<std::shared_ptr<Pipeline>> hold;
    if (n > 2) {
        auto b = std::make_shared<Buffered>("one", p);
        hold.push_back(b);
        p = b.get();
    }
    if (n > 3) {
        p = new Buffered("two", p);
        hold.push_back(std::shared_ptr<Pipeline>(p));
    }
    unsigned char data[3] = {1, 2, 3};
    p->write(data, 3);
    p->finish();
    Buffered b("three", &d);
    b.write(data, 3);
    size_t size = 0;
    unsigned char *raw = b.getMalloc(&size);
    int r = raw ? raw[0] : 0;
    free(raw);
    auto taken = b.take();
    return r + (int)taken->size();
}

struct Tree : std::enable_shared_from_this<Tree> {
    std::weak_ptr<Tree> parent;
    std::vector<std::shared_ptr<Tree>> kids;
    std::string name;
    std::shared_ptr<Tree> add(const std::string &n) {
        auto t = std::make_shared<Tree>();
        t->name = n;
        t->parent = shared_from_this();
        kids.push_back(t);
        return t;
    }
    int depth() const {
        auto p = parent.lock();
        return p ? p->depth() + 1 : 0;
    }
};

int trees(int n) {
    auto root = std::make_shared<Tree>();
    auto kid = root->add("a");
    auto leaf = kid->add("b");
    int d = leaf->depth();
    kid.reset();
    if (n > 3)
        root = leaf;
    return d;
}

class Base {
  public:
    virtual ~Base() {}
    int x = 0;
};
class Derived : public Base {
  public:
    std::unique_ptr<int[]> data{new int[10]};
};

std::shared_ptr<Base> make(int n) {
    if (n == 1)
        return std::make_shared<Base>();
    if (n == 2) {
        std::shared_ptr<Derived> d(new Derived);
        d->x = 2;
        return d;
    }
    return {};
}

int casts(int n) {
    std::shared_ptr<Base> b = make(n);
    if (!b)
        return 0;
    if (auto d = std::dynamic_pointer_cast<Derived>(b))
        return d->data[0];
    std::shared_ptr<Base> c = std::static_pointer_cast<Base>(b);
    std::shared_ptr<const Base> e = c;
    b = nullptr;
    c = make(2);
    return e->x + c->x;
}

struct Node {
    std::shared_ptr<Node> next;
    int v = 0;
};
int list_of_shared(int n) {
    std::shared_ptr<Node> head;
    for (int i = 0; i < n; i++) {
        auto x = std::make_shared<Node>();
        x->v = i;
        x->next = head;
        head = x;
    }
    int t = 0;
    for (auto p = head; p; p = p->next)
        t += p->v;
    while (head)
        head = head->next;
    return t;
}

template <class T> class PointerHolder {
    struct Data {
        Data(T *p, bool a) : pointer(p), array(a), refcount(0) {}
        ~Data() {
            if (array)
                delete[] pointer;
            else
                delete pointer;
        }
        T *pointer;
        bool array;
        int refcount;
    };
    Data *data;
    void init(Data *d) {
        data = d;
        ++data->refcount;
    }
    void destroy() {
        bool gone = false;
        if (--data->refcount == 0)
            gone = true;
        if (gone)
            delete data;
    }

  public:
    PointerHolder(T *p = nullptr) { init(new Data(p, false)); }
    PointerHolder(bool, T *p) { init(new Data(p, true)); }
    PointerHolder(const PointerHolder &o) { init(o.data); }
    PointerHolder &operator=(const PointerHolder &o) {
        if (this != &o) {
            destroy();
            init(o.data);
        }
        return *this;
    }
    ~PointerHolder() { destroy(); }
    T *operator->() { return data->pointer; }
    T *get() { return data->pointer; }
};

int holders(int n) {
    PointerHolder<Base> a(new Base);
    PointerHolder<Base> b(a);
    PointerHolder<Base> c;
    c = b;
    PointerHolder<char> text(true, new char[n + 1]);
    std::vector<PointerHolder<Base>> all;
    all.push_back(a);
    all.push_back(PointerHolder<Base>(new Derived));
    a = all.back();
    strcpy(text.get(), "x");
    return a->x + c->x;
}

void callbacks(int n) {
    std::vector<std::function<void()>> later;
    auto state = std::make_shared<int>(n);
    later.push_back([state] { ++*state; });
    later.push_back(std::bind([](std::shared_ptr<int> p) { ++*p; }, state));
    for (auto &f : later)
        f();
}
