// Functions with neither code nor spec: where their results end says that they allocate.
// run: --level=likely
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *pool_get(size_t size);
void pool_put(void *block);
char *pool_copy(const char *text);
void *pool_grow(void *block, size_t size);

int puts_it_back(size_t n) {
    char *p = pool_get(n); // OK
    if (!p)
        return -1;
    p[0] = 1;
    pool_put(p);
    return 0;
}

int puts_it_back_everywhere(size_t n, int early) {
    char *p = pool_get(n); // OK
    if (!p)
        return -1;
    if (early) {
        pool_put(p);
        return -2;
    }
    memset(p, 0, n);
    pool_put(p);
    return 0;
}

int forgets_it(size_t n, int early) {
    char *p = pool_get(n); // LEAK forgotten LIKELY because BELIEVED
    if (!p)
        return -1;
    if (early)
        return -2; // LOST forgotten
    p[0] = 1;
    pool_put(p);
    return 0;
}

static char *wrapper(size_t n) {
    char *p = pool_get(n); // LEAK wrapped LIKELY
    if (p)
        p[0] = 0;
    return p;
}

int forgets_what_a_wrapper_brought(size_t n, int early) {
    char *p = wrapper(n);
    if (!p)
        return -1;
    if (early)
        return -2; // LOST wrapped
    pool_put(p);
    return 0;
}

void *returns_it(size_t n) {
    return pool_get(n); // OK
}

struct holder {
    void *block;
};

void stores_it(struct holder *h, size_t n) {
    h->block = pool_get(n); // OK
}

// Twice is no claim: it may be counted.
void puts_it_back_twice(size_t n) {
    char *p = pool_get(n); // OK
    if (!p)
        return;
    pool_put(p);
    pool_put(p);
}

// ---- several allocators share one release

int copy_released(const char *s) {
    char *p = pool_copy(s); // OK
    int n = (int)strlen(p);
    pool_put(p);
    return n;
}

int copy_released_too(const char *s) {
    char *p = pool_copy(s); // OK
    int n = p[0];
    pool_put(p);
    return n;
}

int copy_compared(const char *s) {
    char *p = pool_copy(s); // OK
    int n = strcmp(p, s);
    pool_put(p);
    return n;
}

int copy_forgotten(const char *s) {
    char *p = pool_copy(s); // LEAK copy LIKELY because BELIEVED
    return p[0];            // LOST copy
}

// ---- what takes a block and gives one is a realloc for all we know

int grown(size_t n) {
    char *p = pool_get(n); // OK
    if (!p)
        return -1;
    p = pool_grow(p, 2 * n); // OK
    if (!p)
        return -1;
    pool_put(p);
    return 0;
}

int grown_again(size_t n) {
    char *p = pool_grow(NULL, n); // OK
    if (!p)
        return -1;
    pool_put(p);
    return 0;
}

int grown_and_forgotten(size_t n) {
    char *p = pool_grow(NULL, n); // OK
    return p ? p[0] : -1;
}

// ---- looked up: most callers only read it, whatever two of them do

struct entry {
    int number;
};

struct entry *find_entry(const char *name);

int entry_read(const char *name) {
    struct entry *e = find_entry(name); // OK
    return e ? e->number : 0;
}

int entry_read_too(const char *name) {
    return find_entry(name)->number; // OK
}

void entry_dropped(const char *name) {
    struct entry *e = find_entry(name); // OK
    if (e)
        free(e);
}

void entry_dropped_too(const char *name) {
    free(find_entry(name)); // OK
}

// ---- registered: the taker is no release, as its callers go on with the block

void *thing_at(int n);
void watch(void *thing);

int watched(int n) {
    int *t = thing_at(n); // OK
    watch(t);
    return *t;
}

int watched_too(int n) {
    int *t = thing_at(n); // OK
    watch(t);
    return t[1];
}

void watched_last(int n) {
    watch(thing_at(n)); // OK
}

void watched_last_too(int n) {
    watch(thing_at(n + 1)); // OK
}

int not_watched(int n, struct holder *h) {
    int *t = thing_at(n); // OK
    if (n > 3)
        return 0;
    watch(t);
    return 1;
}

// ---- one witness is none

void *once(void);
void once_released(void *);

void released_in_one_function(void) {
    once_released(once()); // OK
}

int forgotten_in_another(int n) {
    char *p = once(); // OK
    return n ? 0 : p[0];
}

// ---- known releases are as good

struct record {
    char *name;
};

struct record *read_record(int number);

int record_freed(int n) {
    struct record *r = read_record(n); // OK
    if (!r)
        return -1;
    free(r);
    return 0;
}

int record_freed_too(int n) {
    struct record *r = read_record(n); // OK
    int any = r->name != NULL;
    free(r);
    return any;
}

int record_forgotten(int n) {
    struct record *r = read_record(n); // LEAK record LIKELY because BELIEVED
    if (!r)
        return -1;
    if (!r->name)
        return 1; // LOST record
    free(r);
    return 0;
}
