// Headers and fixtures for the recipes of systemd.own. The other end of the bus is a socket that nobody answers on.
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <unistd.h>

#undef sd_journal_print
#undef sd_journal_send
#undef sd_journal_sendv
#undef sd_journal_perror
#undef sd_journal_printv

static inline sd_bus *fresh(void)
{
    sd_bus *b = NULL;
    sd_bus_new(&b);
    return OWN(b, sd_bus_unref);
}
static inline int peer(void)
{
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s);
    (void)OWN(s[0], close);
    return s[1];
}
static inline sd_bus *bus(void)
{
    sd_bus *b = NULL;
    int fd = peer();
    sd_bus_new(&b);
    sd_bus_set_fd(b, fd, fd);
    sd_bus_start(b);
    return OWN(b, sd_bus_close_unref);
}
static inline sd_bus_message *message(void)
{
    sd_bus_message *m = NULL;
    sd_bus_message_new_method_call(bus(), &m, "org.x", "/a", "org.x.I", "M");
    return OWN(m, sd_bus_message_unref);
}
static inline sd_bus_message *sealed(void)
{
    sd_bus_message *m = message();
    sd_bus_message_append(m, "sasay", "text", 2, "a", "b", 2, 1, 2);
    sd_bus_message_seal(m, 1, 0);
    return m;
}
static inline sd_bus_message *at_list(void)
{
    sd_bus_message *m = sealed();
    const char *s;
    sd_bus_message_read(m, "s", &s);
    return m;
}
static inline sd_bus_message *at_bytes(void)
{
    sd_bus_message *m = at_list();
    sd_bus_message_skip(m, "as");
    return m;
}
static inline void drop_strv(char **v)
{
    for (char **s = v; *s; s++) free(*s);
    free(v);
}
static inline sd_bus_error *error(void)
{
    sd_bus_error *e = block(sizeof *e);
    return OWN(e, sd_bus_error_free);
}
static inline sd_bus_error *failed(void)
{
    sd_bus_error *e = error();
    sd_bus_error_set(e, "org.x.E", "text");
    return e;
}
static inline sd_bus_message *refused(void)
{
    sd_bus_message *m = NULL;
    sd_bus_message_new_method_errorf(sealed(), &m, "org.x.E", "text");
    return OWN(m, sd_bus_message_unref);
}
static inline int on_message(sd_bus_message *m, void *data, sd_bus_error *e) { return 0; }
static inline sd_event *loop(void)
{
    sd_event *e = NULL;
    sd_event_new(&e);
    return OWN(e, sd_event_unref);
}
static inline int on_event(sd_event_source *s, void *data) { return 0; }
static inline int on_io(sd_event_source *s, int fd, uint32_t events, void *data) { return 0; }
static inline int on_time(sd_event_source *s, uint64_t t, void *data) { return 0; }
static inline int on_signal(sd_event_source *s, const struct signalfd_siginfo *i, void *data) { return 0; }
static inline sd_event_source *source(void)
{
    sd_event_source *s = NULL;
    sd_event_add_defer(loop(), &s, on_event, NULL);
    return OWN(s, sd_event_source_unref);
}
static inline sd_event_source *timer(void)
{
    sd_event_source *s = NULL;
    sd_event_add_time(loop(), &s, CLOCK_MONOTONIC, 1, 0, on_time, NULL);
    return OWN(s, sd_event_source_unref);
}
static inline int opened(void)
{
    int fd = peer();
    return OWN(fd, close);
}
static inline sd_event_source *io(void)
{
    sd_event_source *s = NULL;
    int fd = opened();
    sd_event_add_io(loop(), &s, fd, EPOLLIN, on_io, NULL);
    return OWN(s, sd_event_source_unref);
}
static inline sd_event *ready(void)
{
    sd_event *e = loop();
    sd_event_add_defer(e, NULL, on_event, NULL);
    return e;
}
static inline void block_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}
static inline sd_journal *journal(void)
{
    sd_journal *j = NULL;
    sd_journal_open_directory(&j, "dir", 0);
    return OWN(j, sd_journal_close);
}
#define WARM_UP { sd_journal_print(LOG_DEBUG, "x"); sd_bus *b; sd_bus_new(&b); sd_bus_unref(b); }
