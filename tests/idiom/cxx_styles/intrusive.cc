// Intrusive pointers: the count is in the object.
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Internal {
class intrusive_base {
    intrusive_base(const intrusive_base &);
    void operator=(const intrusive_base &);

  public:
    intrusive_base() : _refs(0) {}
    mutable unsigned _refs;
};
template <class T> class intrusive_ptr {
    T *px;

  public:
    intrusive_ptr() : px(0) {}
    intrusive_ptr(T *rhs) : px(rhs) {
        if (px)
            ++px->_refs;
    }
    template <class U> intrusive_ptr(const intrusive_ptr<U> &rhs) : px(rhs.get()) {
        if (px)
            ++px->_refs;
    }
    intrusive_ptr(const intrusive_ptr &rhs) : px(rhs.px) {
        if (px)
            ++px->_refs;
    }
    intrusive_ptr(intrusive_ptr &&rhs) noexcept : px(rhs.px) { rhs.px = 0; }
    ~intrusive_ptr() {
        if (px && --px->_refs == 0)
            delete px;
    }
    intrusive_ptr &operator=(const intrusive_ptr &rhs) {
        intrusive_ptr(rhs).swap(*this);
        return *this;
    }
    intrusive_ptr &operator=(intrusive_ptr &&rhs) noexcept {
        swap(rhs);
        return *this;
    }
    intrusive_ptr &operator=(T *rhs) {
        intrusive_ptr(rhs).swap(*this);
        return *this;
    }
    void swap(intrusive_ptr &o) noexcept {
        T *t = px;
        px = o.px;
        o.px = t;
    }
    T *get() const { return px; }
    T &operator*() const { return *px; }
    T *operator->() const { return px; }
    explicit operator bool() const { return px != 0; }
};
// counts, but the object may also be borrowed
template <class T> class opt_intrusive_ptr {
    T *px;
    bool counting;

  public:
    opt_intrusive_ptr() : px(0), counting(false) {}
    opt_intrusive_ptr(T *rhs) : px(rhs), counting(px != 0 && px->_refs) {
        if (counting)
            ++px->_refs;
    }
    opt_intrusive_ptr(const opt_intrusive_ptr &o) : px(o.px), counting(o.counting) {
        if (counting)
            ++px->_refs;
    }
    ~opt_intrusive_ptr() {
        if (counting && --px->_refs == 1)
            delete px;
    }
    T *release() {
        T *r = px;
        return r;
    }
    T *get() const { return px; }
};
} // namespace Internal

class PostList {
  public:
    virtual ~PostList() {}
    virtual PostList *next() = 0;
    virtual int docid() const = 0;
};

class LeafList : public PostList {
    int at;

  public:
    LeafList(int n) : at(n) {}
    PostList *next() override {
        ++at;
        return nullptr;
    }
    int docid() const override { return at; }
};

class AndList : public PostList {
    PostList *l, *r;

  public:
    AndList(PostList *l_, PostList *r_) : l(l_), r(r_) {}
    ~AndList() {
        delete l;
        delete r;
    }
    AndList(const AndList &) = delete;
    PostList *next() override {
        PostList *p = l->next();
        if (p) {
            delete l;
            l = p;
        }
        p = r->next();
        if (p) {
            delete r;
            r = p;
        }
        if (r->docid() > 100) {
            PostList *ret = l;
            l = nullptr;
            return ret;
        }
        return nullptr;
    }
    int docid() const override { return l->docid(); }
};

static void next_handling_prune(PostList *&pl) {
    PostList *p = pl->next();
    if (!p)
        return;
    delete pl;
    pl = p;
}

int walk_postlists(int n) {
    PostList *pl = new AndList(new LeafList(n), new LeafList(3));
    int total = 0;
    while (pl->docid() < 50) {
        total += pl->docid();
        next_handling_prune(pl);
    }
    delete pl;
    return total;
}

class Query {
  public:
    class Node : public Internal::intrusive_base {
      public:
        virtual ~Node() {}
        virtual int length() const = 0;
    };
    Query() {}
    explicit Query(const std::string &term);
    Query(const Query &a, const Query &b);
    int length() const { return node ? node->length() : 0; }
    Internal::intrusive_ptr<Node> node;
};
class TermNode : public Query::Node {
    std::string term;

  public:
    TermNode(const std::string &t) : term(t) {}
    int length() const override { return term.size(); }
};
class PairNode : public Query::Node {
    std::vector<Query> subs;

  public:
    void add(const Query &q) { subs.push_back(q); }
    int length() const override {
        int n = 0;
        for (auto &q : subs)
            n += q.length();
        return n;
    }
};
Query::Query(const std::string &t) : node(new TermNode(t)) {}
Query::Query(const Query &a, const Query &b) {
    if (!a.node) {
        node = b.node;
        return;
    }
    if (!b.node) {
        node = a.node;
        return;
    }
    PairNode *p = new PairNode;
    node = p;
    p->add(a);
    p->add(b);
}

int queries(int n) {
    Query a("one"), b("two");
    Query both(a, b);
    Query more(both, Query("three"));
    if (n > 2)
        more = a;
    b = more;
    return b.length() + both.length();
}

class Database {
  public:
    class Body : public Internal::intrusive_base {
      public:
        virtual ~Body() {}
        std::map<std::string, int> terms;
        virtual PostList *open(const std::string &t) const {
            auto i = terms.find(t);
            if (i == terms.end())
                return nullptr;
            return new LeafList(i->second);
        }
    };
    Database() : body(new Body) {}
    Internal::intrusive_ptr<Body> body;
    int first(const std::string &t) const {
        std::unique_ptr<PostList> p(body->open(t));
        if (!p)
            throw std::runtime_error("no term");
        return p->docid();
    }
};

int databases(int n) {
    Database d;
    Database e(d);
    d.body->terms["a"] = n;
    std::vector<Database> all;
    all.push_back(d);
    all.push_back(e);
    all[0] = all[1];
    return e.first("a");
}
