// Allocators behind pointers of which the given code does not say what they hold: a global, a field of a
// global, a field of a session. What becomes of their results says that they allocate.
#include <stddef.h>
#include <string.h>

typedef void *(*allocate_function)(size_t);
typedef void (*release_function)(void *);

extern allocate_function lib_allocate;
extern release_function lib_release;
extern char *(*lib_copy)(const char *);

int released(size_t n) {
    char *p = lib_allocate(n); // OK
    if (p == NULL)
        return -1;
    p[0] = 0;
    lib_release(p);
    return 0;
}

int released_on_both_paths(const char *s) {
    char *p = lib_allocate(strlen(s) + 1); // OK
    if (p == NULL)
        return -1;
    strcpy(p, s);
    int empty = p[0] == 0;
    lib_release(p);
    return empty;
}

int forgotten(size_t n) {
    char *p = lib_allocate(n); // LEAK hooked LIKELY because BELIEVED
    if (p == NULL)
        return -1;
    if (n < 16)
        return -2; // LOST hooked
    lib_release(p);
    return 0;
}

int copy_released(const char *s) {
    char *p = lib_copy(s); // OK
    if (p == NULL)
        return -1;
    int n = (int)strlen(p);
    lib_release(p);
    return n;
}

int copy_forgotten(const char *s, int n) {
    char *p = lib_copy(s); // LEAK copied LIKELY because BELIEVED
    if (p == NULL)
        return -1;
    if (n)
        return 1; // LOST copied
    lib_release(p);
    return 0;
}

// ---- a table of functions

struct allocator {
    void *(*get)(size_t n, const char *file, int line);
    void *(*grow)(void *p, size_t n, const char *file, int line);
    void (*put)(void *p);
};

extern struct allocator memory;

int table_released(size_t n) {
    int *p = memory.get(n, __FILE__, __LINE__); // OK
    if (!p)
        return -1;
    p[0] = 1;
    memory.put(p);
    return 0;
}

int table_released_too(size_t n) {
    int *p = memory.get(n, __FILE__, __LINE__); // OK
    if (!p)
        return -1;
    p[0] = 2;
    memory.put(p);
    return 0;
}

int table_forgotten(size_t n) {
    int *p = memory.get(n, __FILE__, __LINE__); // LEAK table LIKELY because BELIEVED
    if (!p)
        return -1;
    if (n < sizeof *p)
        return -2; // LOST table
    memory.put(p);
    return 0;
}

int grown(size_t n) {
    int *p = memory.get(n, __FILE__, __LINE__); // OK
    if (!p)
        return -1;
    int *q = memory.grow(p, 2 * n, __FILE__, __LINE__); // OK
    if (!q) {
        memory.put(p);
        return -1;
    }
    memory.put(q);
    return 0;
}

// ---- a session with hooks

struct session {
    void *context;
    void *(*get)(size_t n, void **context);
    void (*put)(void *p, void **context);
    char *banner;
};

int session_released(struct session *s, size_t n) {
    char *p = s->get(n, &s->context); // OK
    if (!p)
        return -1;
    p[0] = 1;
    s->put(p, &s->context);
    return 0;
}

int session_keeps_it(struct session *s, size_t n) {
    s->banner = s->get(n, &s->context); // OK
    return s->banner ? 0 : -1;
}

int session_released_at_the_end(struct session *s, size_t n) {
    char *p = s->get(n, &s->context); // OK
    int failed = p == NULL;
    if (!failed)
        p[0] = 1;
    if (p)
        s->put(p, &s->context);
    return failed;
}

int session_forgotten(struct session *s, size_t n) {
    char *p = s->get(n, &s->context); // LEAK session LIKELY because BELIEVED
    if (!p)
        return -1;
    if (n > 100)
        return -2; // LOST session
    s->put(p, &s->context);
    return 0;
}
