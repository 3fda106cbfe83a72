// Containers whose copies share their data until one of them is changed.
#include <atomic>
#include <cstring>
#include <list>
#include <map>
#include <string>

class RefCounter {
  public:
    RefCounter() : refs(1) {}
    virtual ~RefCounter() {}
    void ref() { refs.fetch_add(1, std::memory_order_relaxed); }
    bool deref() { return refs.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    int count() const { return refs; }

  private:
    std::atomic<int> refs;
};

class PlainRefCounter {
  public:
    PlainRefCounter() : refCount(1) {}
    void ref() { refCount++; }
    bool deref() { return !--refCount; }
    int count() { return refCount; }

  private:
    unsigned refCount;
};

struct Frame {
    virtual ~Frame() {}
    int size = 0;
};

template <class T> class List {
  public:
    List() : d(new ListPrivate<T>()) {}
    List(const List &l) : d(l.d) { d->ref(); }
    virtual ~List();
    List &operator=(const List &l);
    List &append(const T &item) {
        detach();
        d->list.push_back(item);
        return *this;
    }
    List &prepend(const T &item) {
        detach();
        d->list.push_front(item);
        return *this;
    }
    List &clear() {
        detach();
        d->clear();
        return *this;
    }
    unsigned size() const { return d->list.size(); }
    void setAutoDelete(bool on) {
        detach();
        d->autoDelete = on;
    }
    typename std::list<T>::iterator begin() {
        detach();
        return d->list.begin();
    }
    typename std::list<T>::iterator end() {
        detach();
        return d->list.end();
    }
    T &front() {
        detach();
        return d->list.front();
    }

  protected:
    void detach();

  private:
    template <class TP> class ListPrivate;
    ListPrivate<T> *d;
};

class ListPrivateBase : public RefCounter {
  public:
    ListPrivateBase() : autoDelete(false) {}
    bool autoDelete;
};

template <class T> template <class TP> class List<T>::ListPrivate : public ListPrivateBase {
  public:
    ListPrivate() : ListPrivateBase() {}
    ListPrivate(const std::list<TP> &l) : ListPrivateBase(), list(l) {}
    void clear() { list.clear(); }
    std::list<TP> list;
};

template <class T> void List<T>::detach() {
    if (d->count() > 1) {
        d->deref();
        d = new ListPrivate<T>(d->list);
    }
}
template <class T> List<T>::~List() {
    if (d->deref())
        delete d;
}
template <class T> List<T> &List<T>::operator=(const List<T> &l) {
    if (&l == this)
        return *this;
    if (d->deref())
        delete d;
    d = l.d;
    d->ref();
    return *this;
}

int copies_share(int n) {
    List<int> a;
    a.append(n).append(n + 1);
    List<int> b(a);
    b.append(3);
    List<int> c;
    c = b;
    return a.size() + b.size() + c.size();
}

int list_of_frames(int n) {
    List<Frame *> frames;
    for (int i = 0; i < n; i++)
        frames.append(new Frame);
    int total = 0;
    for (auto *f : frames)
        total += f->size;
    for (auto it = frames.begin(); it != frames.end(); ++it)
        delete *it;
    frames.clear();
    return total;
}

class ByteVector {
  public:
    ByteVector() : d(new Private(0)) {}
    ByteVector(unsigned n, char c = 0) : d(new Private(n)) { memset(d->data, c, n); }
    ByteVector(const char *s) : d(new Private(strlen(s))) { memcpy(d->data, s, d->length); }
    ByteVector(const ByteVector &o) : d(o.d) { d->counter.ref(); }
    ~ByteVector() { drop(); }
    ByteVector &operator=(const ByteVector &o) {
        if (&o == this)
            return *this;
        drop();
        d = o.d;
        d->counter.ref();
        return *this;
    }
    char &operator[](unsigned i) {
        detach();
        return d->data[i];
    }
    ByteVector mid(unsigned from) const {
        ByteVector v(d->length - from);
        memcpy(v.d->data, d->data + from, d->length - from);
        return v;
    }
    void swap(ByteVector &o) { std::swap(d, o.d); }
    void resize(unsigned n) {
        ByteVector next(n);
        memcpy(next.d->data, d->data, n < d->length ? n : d->length);
        next.swap(*this);
    }
    unsigned size() const { return d->length; }

  private:
    struct Private {
        Private(unsigned n) : data(new char[n + 1]), length(n) {}
        ~Private() { delete[] data; }
        PlainRefCounter counter;
        char *data;
        unsigned length;
    };
    void drop() {
        if (d->counter.deref())
            delete d;
    }
    void detach() {
        if (d->counter.count() > 1) {
            Private *next = new Private(d->length);
            memcpy(next->data, d->data, d->length);
            d->counter.deref();
            d = next;
        }
    }
    Private *d;
};

int bytes(int n) {
    ByteVector a("some text");
    ByteVector b = a;
    b[0] = 'x';
    ByteVector c = a.mid(2);
    c.resize(n);
    a = c;
    a = ByteVector(20, 'z');
    return a.size() + b.size() + c[0];
}

struct Item {
    Item() : d(new ItemPrivate) {}
    Item(const Item &o) : d(new ItemPrivate(*o.d)) {}
    Item &operator=(const Item &o) {
        Item(o).swap(*this);
        return *this;
    }
    ~Item() { delete d; }
    void swap(Item &o) { std::swap(d, o.d); }
    void set(const std::string &s) { d->text = s; }
    unsigned size() const { return d->text.size(); }

  private:
    struct ItemPrivate {
        std::string text;
        int kind = 0;
    };
    ItemPrivate *d;
};

int items(int n) {
    std::map<std::string, Item> all;
    Item a, b;
    a.set("one");
    b = a;
    all["a"] = a;
    all["b"] = b;
    all.insert(std::make_pair(std::string("c"), b));
    if (n > 3)
        all.erase("a");
    return all["b"].size();
}
