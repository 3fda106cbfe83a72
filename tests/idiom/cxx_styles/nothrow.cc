// new (std::nothrow), asserts that end the process, objects that own themselves, messages with counts.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <errno.h>
#include <map>
#include <new>
#include <set>
#include <string>
#include <vector>

#define alloc_assert(x)                                                                                      \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            fprintf(stderr, "out of memory (%s:%d)\n", __FILE__, __LINE__);                                  \
            abort();                                                                                         \
        }                                                                                                    \
    } while (false)
#define my_assert(x)                                                                                         \
    do {                                                                                                     \
        if (!(x)) {                                                                                          \
            fprintf(stderr, "%s (%s:%d)\n", #x, __FILE__, __LINE__);                                         \
            abort();                                                                                         \
        }                                                                                                    \
    } while (false)

class atomic_counter_t {
  public:
    explicit atomic_counter_t(unsigned v = 0) : _value(v) {}
    void set(unsigned v) { _value = v; }
    unsigned add(unsigned n) { return __atomic_fetch_add(&_value, n, __ATOMIC_ACQ_REL); }
    bool sub(unsigned n) { return __atomic_sub_fetch(&_value, n, __ATOMIC_ACQ_REL) != 0; }
    unsigned get() const { return _value; }

  private:
    unsigned _value;
};

typedef void(free_fn)(void *data, void *hint);

class msg_t {
  public:
    struct content_t {
        void *data;
        size_t size;
        free_fn *ffn;
        void *hint;
        atomic_counter_t refcnt;
    };
    enum { shared = 128 };
    enum type_t {
        type_invalid,
        type_min = 101,
        type_vsm = 101,
        type_lmsg = 102,
        type_delimiter = 103,
        type_max = 103
    };
    int init() {
        _u.vsm.type = type_vsm;
        _u.vsm.flags = 0;
        _u.vsm.size = 0;
        return 0;
    }
    int init_size(size_t size) {
        if (size <= sizeof _u.vsm.data) {
            _u.vsm.type = type_vsm;
            _u.vsm.flags = 0;
            _u.vsm.size = (unsigned char)size;
        } else {
            _u.lmsg.type = type_lmsg;
            _u.lmsg.flags = 0;
            _u.lmsg.content = nullptr;
            if (sizeof(content_t) + size > size)
                _u.lmsg.content = static_cast<content_t *>(malloc(sizeof(content_t) + size));
            if (!_u.lmsg.content) {
                errno = ENOMEM;
                return -1;
            }
            _u.lmsg.content->data = _u.lmsg.content + 1;
            _u.lmsg.content->size = size;
            _u.lmsg.content->ffn = nullptr;
            _u.lmsg.content->hint = nullptr;
            new (&_u.lmsg.content->refcnt) atomic_counter_t();
        }
        return 0;
    }
    bool check() const { return _u.base.type >= type_min && _u.base.type <= type_max; }
    int close() {
        if (!check()) {
            errno = EFAULT;
            return -1;
        }
        if (_u.base.type == type_lmsg) {
            if (!(_u.lmsg.flags & shared) || !_u.lmsg.content->refcnt.sub(1)) {
                _u.lmsg.content->refcnt.~atomic_counter_t();
                if (_u.lmsg.content->ffn)
                    _u.lmsg.content->ffn(_u.lmsg.content->data, _u.lmsg.content->hint);
                free(_u.lmsg.content);
            }
        }
        _u.base.type = type_invalid;
        return 0;
    }
    int move(msg_t &src) {
        if (!src.check()) {
            errno = EFAULT;
            return -1;
        }
        int rc = close();
        if (rc < 0)
            return rc;
        *this = src;
        rc = src.init();
        if (rc < 0)
            return rc;
        return 0;
    }
    int copy(msg_t &src) {
        if (!src.check()) {
            errno = EFAULT;
            return -1;
        }
        const int rc = close();
        if (rc < 0)
            return rc;
        if (src._u.base.type == type_lmsg) {
            if (src._u.lmsg.flags & shared)
                src._u.lmsg.content->refcnt.add(1);
            else {
                src._u.lmsg.flags |= shared;
                src._u.lmsg.content->refcnt.set(2);
            }
        }
        *this = src;
        return 0;
    }
    void *data() { return _u.base.type == type_vsm ? _u.vsm.data : _u.lmsg.content->data; }

  private:
    union {
        struct {
            unsigned char unused[62];
            unsigned char type;
            unsigned char flags;
        } base;
        struct {
            unsigned char data[60];
            unsigned char size;
            unsigned char u;
            unsigned char type;
            unsigned char flags;
        } vsm;
        struct {
            content_t *content;
            unsigned char unused[54];
            unsigned char type;
            unsigned char flags;
        } lmsg;
    } _u;
};

int send_one(int n) {
    msg_t m;
    if (m.init_size(n) != 0)
        return -1;
    memset(m.data(), 0, n);
    msg_t copy;
    int rc = copy.init();
    my_assert(rc == 0);
    rc = copy.copy(m);
    my_assert(rc == 0);
    rc = m.close();
    my_assert(rc == 0);
    rc = copy.close();
    my_assert(rc == 0);
    return n;
}

class own_t;
struct ctx {
    std::set<own_t *> all;
};

class own_t {
  public:
    own_t(ctx *c) : _ctx(c), _terminating(false), _owner(nullptr), _term_acks(0) {}
    virtual ~own_t() {}
    void launch_child(own_t *o) {
        o->_owner = this;
        _owned.insert(o);
    }
    void terminate() {
        if (_terminating)
            return;
        if (!_owner) {
            process_term();
            return;
        }
        _owner->_owned.erase(this);
        process_term();
    }
    void process_term() {
        for (std::set<own_t *>::iterator it = _owned.begin(), end = _owned.end(); it != end; ++it)
            (*it)->process_term();
        _owned.clear();
        _terminating = true;
        check_term_acks();
    }
    virtual void process_destroy() { delete this; }
    void check_term_acks() {
        if (_terminating && _term_acks == 0)
            process_destroy();
    }

  protected:
    ctx *_ctx;
    bool _terminating;
    own_t *_owner;
    std::set<own_t *> _owned;
    int _term_acks;
};

class session_t : public own_t {
  public:
    session_t(ctx *c, const char *name) : own_t(c), _name(name), _buffer(nullptr) {
        _buffer = static_cast<char *>(malloc(1024));
        alloc_assert(_buffer);
    }
    ~session_t() override { free(_buffer); }

  private:
    std::string _name;
    char *_buffer;
};

own_t *create(int type, ctx *c) {
    own_t *s = nullptr;
    switch (type) {
    case 1:
        s = new (std::nothrow) own_t(c);
        break;
    case 2:
        s = new (std::nothrow) session_t(c, "name");
        break;
    default:
        errno = EINVAL;
        return nullptr;
    }
    alloc_assert(s);
    return s;
}

int start(int type) {
    ctx c;
    own_t *root = create(type, &c);
    if (!root)
        return -1;
    own_t *child = new (std::nothrow) session_t(&c, "child");
    alloc_assert(child);
    root->launch_child(child);
    root->terminate();
    return 0;
}

int start_engine(ctx *c, int fd, int kind) {
    session_t *s;
    if (kind == 0)
        s = new (std::nothrow) session_t(c, "a");
    else
        s = new (std::nothrow) session_t(c, "b");
    if (!s) {
        errno = ENOMEM;
        return -1;
    }
    if (fd < 0) {
        delete s;
        return -1;
    }
    c->all.insert(s);
    return 0;
}

class array_t {
    std::vector<own_t *> items;

  public:
    void push(own_t *o) { items.push_back(o); }
    void close() {
        for (size_t i = 0; i != items.size(); i++)
            delete items[i];
        items.clear();
    }
    ~array_t() { close(); }
};

int arrays(int n) {
    ctx c;
    array_t a;
    for (int i = 0; i < n; i++) {
        own_t *o = new (std::nothrow) session_t(&c, "x");
        alloc_assert(o);
        a.push(o);
    }
    return n;
}

template <typename T, int N> class yqueue_t {
  public:
    yqueue_t() {
        _begin_chunk = allocate_chunk();
        alloc_assert(_begin_chunk);
        _begin_pos = 0;
        _back_chunk = nullptr;
        _back_pos = 0;
        _end_chunk = _begin_chunk;
        _end_pos = 0;
    }
    ~yqueue_t() {
        while (true) {
            if (_begin_chunk == _end_chunk) {
                free(_begin_chunk);
                break;
            }
            chunk_t *o = _begin_chunk;
            _begin_chunk = _begin_chunk->next;
            free(o);
        }
        chunk_t *sc = _spare;
        _spare = nullptr;
        free(sc);
    }
    T &front() { return _begin_chunk->values[_begin_pos]; }
    T &back() { return _back_chunk->values[_back_pos]; }
    void push() {
        _back_chunk = _end_chunk;
        _back_pos = _end_pos;
        if (++_end_pos != N)
            return;
        chunk_t *sc = _spare;
        _spare = nullptr;
        if (sc) {
            _end_chunk->next = sc;
            sc->prev = _end_chunk;
        } else {
            _end_chunk->next = allocate_chunk();
            alloc_assert(_end_chunk->next);
            _end_chunk->next->prev = _end_chunk;
        }
        _end_chunk = _end_chunk->next;
        _end_pos = 0;
    }
    void pop() {
        if (++_begin_pos == N) {
            chunk_t *o = _begin_chunk;
            _begin_chunk = _begin_chunk->next;
            _begin_chunk->prev = nullptr;
            _begin_pos = 0;
            chunk_t *cs = _spare;
            _spare = o;
            free(cs);
        }
    }

  private:
    struct chunk_t {
        T values[N];
        chunk_t *prev;
        chunk_t *next;
    };
    static chunk_t *allocate_chunk() { return static_cast<chunk_t *>(malloc(sizeof(chunk_t))); }
    chunk_t *_begin_chunk;
    int _begin_pos;
    chunk_t *_back_chunk;
    int _back_pos;
    chunk_t *_end_chunk;
    int _end_pos;
    chunk_t *_spare = nullptr;
};

int queue_of_numbers(int n) {
    yqueue_t<int, 4> q;
    for (int i = 0; i < n; i++) {
        q.push();
        q.back() = i;
    }
    int t = 0;
    for (int i = 0; i < n; i++) {
        t += q.front();
        q.pop();
    }
    return t;
}
