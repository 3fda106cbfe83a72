// The other sequences: deque, list, forward_list, array, queue, stack.
#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <memory>
#include <queue>
#include <stack>

struct item {
    int value = 0;
};

void list_front_popped() {
    std::list<item *> l;
    l.push_front(nullptr);
    l.front() = new item; // LEAK front
    l.pop_front();        // LOST front
}

void list_front_deleted_and_popped() {
    std::list<item *> l;
    l.push_front(new item); // OK
    delete l.front();
    l.pop_front();
}

int list_deleted_by_iterator(int n) {
    std::list<item *> l;
    for (int i = 0; i < n; i++)
        l.push_back(new item); // OK
    for (std::list<item *>::iterator it = l.begin(); it != l.end(); ++it)
        delete *it;
    return n;
}

void list_forgotten() {
    std::list<item *> l;
    l.push_back(new item); // LEAK list
}

int list_emptied_from_the_front(int n) {
    std::list<item *> l;
    for (int i = 0; i < n; i++)
        l.push_back(new item); // OK
    while (!l.empty()) {
        delete l.front();
        l.pop_front();
    }
    return n;
}

void deque_forgotten() {
    std::deque<item *> d;
    d.push_back(new item); // LEAK deque
}

int deque_drained(int n) {
    std::deque<item *> d;
    d.push_back(new item);  // OK
    d.push_front(new item); // OK
    while (!d.empty()) {
        delete d.back();
        d.pop_back();
    }
    return n;
}

void forward_list_forgotten() {
    std::forward_list<item *> l;
    l.push_front(new item); // LEAK forward
}

void forward_list_deleted() {
    std::forward_list<item *> l;
    l.push_front(new item); // OK
    for (auto *p : l)
        delete p;
}

int array_forgotten(int n) {
    std::array<item *, 2> a{};
    a[0] = new item; // LEAK array
    a[0]->value = n;
    return a[0]->value;
}

int array_deleted(int n) {
    std::array<item *, 2> a{};
    a[0] = new item; // OK
    a[1] = new item; // OK
    for (auto *p : a)
        delete p;
    return n;
}

void queue_forgotten() {
    std::queue<item *> q;
    q.push(new item); // LEAK queue
}

int queue_drained(int n) {
    std::queue<item *> q;
    q.push(new item); // OK
    while (!q.empty()) {
        delete q.front();
        q.pop();
    }
    return n;
}

int stack_drained(int n) {
    std::stack<item *> s;
    s.push(new item); // OK
    while (!s.empty()) {
        item *p = s.top();
        s.pop();
        delete p;
    }
    return n;
}

void stack_popped_and_forgotten() {
    std::stack<item *> s;
    s.push(new item); // LEAK stack
    s.pop();
}

int list_of_owners(int n) {
    std::list<std::unique_ptr<item>> l;
    l.push_back(std::make_unique<item>());  // OK
    l.push_front(std::unique_ptr<item>(new item)); // OK
    l.front()->value = n;
    l.pop_front();
    return n;
}

int deque_of_shared(int n) {
    std::deque<std::shared_ptr<item>> d;
    d.push_back(std::make_shared<item>()); // OK
    d.push_back(d.front());
    d.pop_front();
    d.front()->value = n;
    return d.front()->value;
}

int spliced(int n) {
    std::list<item *> a, b;
    a.push_back(new item); // OK
    b.splice(b.end(), a);
    for (auto *p : b)
        delete p;
    return n;
}

int list_read_after_delete(int n) {
    std::list<item *> l;
    l.push_back(new item);
    delete l.front();
    l.front()->value = n; // USE-AFTER-FREE
    return n;
}

struct client {
    char key[2];
    item *about;
};

class clients : private std::vector<client> {
  public:
    void add(const char *key) {
        client c;
        c.about = new item; // OK
        c.key[0] = key[0];
        insert(end(), c);
    }
    void forget(const char *key) {
        client c;
        c.about = new item; // LEAK about
        c.key[0] = key[0];
        if (size() > 2) push_back(client());
    }
    ~clients() {
        for (auto &c : *this)
            delete c.about;
    }
};

void copied_with_its_pointer() {
    clients all;
    all.add("a");
}

void not_copied() { // asan: leak
    clients all;
    all.forget("a");
}
