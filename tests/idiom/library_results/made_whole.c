// What a library makes has its pointers set: a path does not end where one of them is followed, so what comes after it is seen.
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int forgets_after_it(const char *host, const char *text)
{
    struct addrinfo *list;
    if (getaddrinfo(host, NULL, NULL, &list)) return -1;
    char *copy = strdup(text); // LEAK copy
    if (!copy) {
        freeaddrinfo(list);
        return -1;
    }
    int family = list->ai_addr->sa_family;
    freeaddrinfo(list);
    if (family != AF_INET) return -1; // LOST copy
    free(copy);
    return family;
}

int releases_after_it(const char *host, const char *text)
{
    struct addrinfo *list;
    if (getaddrinfo(host, NULL, NULL, &list)) return -1;
    char *copy = strdup(text); // OK
    if (!copy) {
        freeaddrinfo(list);
        return -1;
    }
    int family = list->ai_addr->sa_family;
    freeaddrinfo(list);
    free(copy);
    return family;
}

// An object with a private part, which its class has made.
typedef unsigned long GType;
void *g_object_new(GType type, const char *first, ...);
struct part {
    void *native;
    void (*end)(void *);
};
struct object {
    void *instance[3];
    struct part *part;
};

static struct object *wrap(GType type, void *native)
{
    if (type == 0) return NULL;
    struct object *o = g_object_new(type, NULL);
    o->part->native = native;
    o->part->end = free;
    return o;
}

static struct object *no_type(const char *text)
{
    return wrap(0, strdup(text)); // LEAK refused; LOST refused
}

static struct object *some_type(const char *text)
{
    return wrap(80, strdup(text)); // OK: the object has it
}

struct object *either(const char *text, int which)
{
    return which ? some_type(text) : no_type(text);
}
