// Headers and fixtures for the recipes of event.own.
#include "run.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static inline void handle(int fd, short what, void *arg) {}
static inline void handle_log(int severity, const char *text) {}
static inline struct event_base *base(void) { return OWN(event_base_new(), event_base_free); }
static inline struct event_config *config(void) { return OWN(event_config_new(), event_config_free); }
static inline struct event *event(void) { return OWN(event_new(base(), -1, EV_PERSIST, handle, NULL), event_free); }
static inline struct evbuffer *buffer(void)
{
    struct evbuffer *b = OWN(evbuffer_new(), evbuffer_free);
    evbuffer_add(b, "text\nmore", 9);
    return b;
}
static inline struct evbuffer *empty(void) { return OWN(evbuffer_new(), evbuffer_free); }
static inline int peer(void)
{
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    (void)OWN(s[0], close);
    evutil_make_socket_nonblocking(s[1]);
    return OWN(s[1], close);
}
static inline struct bufferevent *bev(void)
{
    struct event_base *b = base();
    return OWN(bufferevent_socket_new(b, peer(), 0), bufferevent_free);
}
static inline int opened(const char *name, int flags)
{
    int fd = open(name, flags, 0600);
    return OWN(fd, close);
}
static inline struct sockaddr *anywhere(void)
{
    struct sockaddr_in *a = block(sizeof *a);
    a->sin_family = AF_INET;
    a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return (struct sockaddr *)a;
}
static inline void accepted(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *a, int n, void *arg) {}
static inline struct evconnlistener *listener(void)
{
    return OWN(evconnlistener_new_bind(base(), accepted, NULL, LEV_OPT_CLOSE_ON_FREE, 1, anywhere(), sizeof(struct sockaddr_in)),
               evconnlistener_free);
}
static inline void changed(struct evbuffer *b, const struct evbuffer_cb_info *i, void *arg) {}
static inline struct evutil_addrinfo *addresses(void)
{
    struct evutil_addrinfo *a = NULL;
    evutil_getaddrinfo("127.0.0.1", "80", NULL, &a);
    return OWN(a, evutil_freeaddrinfo);
}
