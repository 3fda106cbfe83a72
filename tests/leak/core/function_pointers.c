// Calls through pointers: tables of operations, callbacks, destructors in structs.
#include <stdlib.h>
#include <string.h>

typedef void (*release_fn)(void *);

static void release_block(void *p) {
    free(p);
}

static void release_nothing(void *p) {
    (void)p;
}

void through_a_local_pointer(void) {
    release_fn release = release_block;
    void *p = malloc(4); // OK
    release(p);
}

void through_a_pointer_that_does_nothing(void) {
    release_fn release = release_nothing;
    void *p = malloc(4); // LEAK nothing
    release(p);
} // LOST nothing

struct ops {
    void *(*make)(int);
    void (*drop)(void *);
};

static void *make_buffer(int n) {
    return malloc(n); // LEAK undropped
}

static const struct ops buffer_ops = {make_buffer, release_block};

void made_and_dropped_by_a_table(void) {
    const struct ops *o = &buffer_ops;
    void *p = o->make(3);
    o->drop(p);
}

void made_by_a_table_and_not_dropped(void) {
    const struct ops *o = &buffer_ops;
    void *p = o->make(3); // LEAK undropped
    (void)p;
} // LOST undropped

struct object {
    release_fn destroy;
    char *data;
};

static void destroy_object(void *self) {
    struct object *o = self;
    free(o->data);
    free(o);
}

void destroyed_by_its_own_pointer(void) {
    struct object *o = malloc(sizeof *o); // OK
    if (o == NULL)
        return;
    o->destroy = destroy_object;
    o->data = malloc(7); // OK
    o->destroy(o);
}

void unknown_pointer_may_free(release_fn release) {
    void *p = malloc(4); // OK
    release(p);
}

static int each(const int *a, int n, int (*f)(int, void *), void *data) {
    for (int i = 0; i < n; i++)
        if (f(a[i], data) < 0)
            return -1;
    return 0;
}

static int add_up(int x, void *data) {
    *(int *)data += x;
    return 0;
}

int callback_that_only_looks(const int *a, int n) {
    int *sum = calloc(1, sizeof *sum); // LEAK sum
    if (sum == NULL)
        return -1;
    each(a, n, add_up, sum);
    return *sum; // LOST sum
}
