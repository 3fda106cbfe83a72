// User data given to a callback: freed by it, kept by a registry, or forgotten.
#include <stdlib.h>
#include <string.h>

typedef void (*handler)(int event, void *data);

struct watch {
    struct watch *next;
    handler call;
    void *data;
};

static struct watch *watches;

static int watch_add(handler call, void *data) {
    struct watch *w = malloc(sizeof *w); // OK
    if (w == NULL)
        return -1;
    w->call = call;
    w->data = data;
    w->next = watches;
    watches = w;
    return 0;
}

static void dispatch(handler call, int event, void *data) {
    call(event, data);
}

struct request {
    int id;
    char *url;
};

static void request_done(int event, void *data) {
    struct request *r = data;
    (void)event;
    free(r->url);
    free(r);
}

static void request_look(int event, void *data) {
    struct request *r = data;
    r->id = event;
}

static struct request *request_new(const char *url) {
    struct request *r = malloc(sizeof *r); // LEAK looked; LEAK unregistered
    if (r == NULL)
        return NULL;
    r->url = strdup(url); // ALSO looked_url; ALSO unregistered_url
    return r;
}

int freed_by_the_callback(const char *url) {
    struct request *r = request_new(url);
    if (r == NULL)
        return -1;
    dispatch(request_done, 1, r);
    return 0;
}

int only_looked_at_by_the_callback(const char *url) {
    struct request *r = request_new(url); // LEAK looked
    if (r == NULL)
        return -1;
    dispatch(request_look, 1, r);
    return 0; // LOST looked; LOST looked_url
}

int kept_by_the_registry(const char *url) {
    struct request *r = request_new(url);
    if (r == NULL)
        return -1;
    if (watch_add(request_done, r) < 0) {
        request_done(0, r);
        return -1;
    }
    return 0;
}

int lost_when_the_registry_refuses(const char *url) {
    struct request *r = request_new(url); // LEAK unregistered
    if (r == NULL)
        return -1;
    return watch_add(request_done, r); // LOST unregistered; LOST unregistered_url
}

extern void library_listen(handler call, void *data);

int given_to_a_library(const char *url) {
    struct request *r = request_new(url);
    if (r == NULL)
        return -1;
    library_listen(request_done, r);
    return 0;
}
