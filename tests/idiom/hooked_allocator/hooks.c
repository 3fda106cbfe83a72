// Allocators called through pointers: global hooks, and hooks in a session.
#include <stdlib.h>
#include <string.h>

struct hooks {
    void *(*allocate)(size_t);
    void (*release)(void *);
};

static const struct hooks hooks = {malloc, free};

#define MEM_ALLOC(n) hooks.allocate(n)
#define MEM_FREE(p) hooks.release(p)

int global_hooks_released(size_t n) {
    char *p = MEM_ALLOC(n); // OK
    if (p == NULL)
        return -1;
    p[0] = 0;
    MEM_FREE(p);
    return 0;
}

int global_hooks_forgotten(size_t n) {
    char *p = MEM_ALLOC(n); // LEAK hooked
    if (p == NULL)
        return -1;
    if (n < 16)
        return -2; // LOST hooked
    MEM_FREE(p);
    return 0;
}

struct session {
    void *(*allocate)(size_t, void **);
    void (*release)(void *, void **);
    void *context;
};

static void *default_allocate(size_t n, void **context) {
    (void)context;
    return malloc(n); // LEAK packet
}

static void default_release(void *p, void **context) {
    (void)context;
    free(p);
}

static void session_init(struct session *s) {
    s->allocate = default_allocate;
    s->release = default_release;
    s->context = NULL;
}

int packet_released(size_t n) {
    struct session s;
    session_init(&s);
    char *packet = s.allocate(n, &s.context);
    if (packet == NULL)
        return -1;
    packet[0] = 1;
    s.release(packet, &s.context);
    return 0;
}

int packet_forgotten(size_t n) {
    struct session s;
    session_init(&s);
    char *packet = s.allocate(n, &s.context); // LEAK packet
    if (packet == NULL)
        return -1;
    packet[0] = 1;
    if (n > 1000)
        return -2; // LOST packet
    s.release(packet, &s.context);
    return 0;
}
