#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct session *session_open(struct server *s, int fd)
{
    struct session *x = calloc(1, sizeof *x);
    if (!x) {
        close(fd);
        return NULL;
    }
    x->fd = fd;
    x->name = malloc(64);
    x->next = s->sessions;
    s->sessions = x;
    return x;
}

void session_close(struct server *s, struct session *x)
{
    struct session **p = &s->sessions;
    while (*p && *p != x)
        p = &(*p)->next;
    if (*p)
        *p = x->next;
    close(x->fd);
    free(x->name);
    free(x);
}

int server_serve(struct server *s)
{
    for (;;) {
        int fd = accept(s->listener, NULL, NULL);
        if (fd < 0)
            return -1;
        struct session *x = session_open(s, fd);
        if (!x)
            continue;
        if (x->name && read(fd, x->name, 63) <= 0) {
            session_close(s, x);
            s->log(s, "gone: %s", x->name);
            continue;
        }
        s->handle(s, x);
    }
}

char *server_banner(const struct server *s, int verbose)
{
    char *text = malloc(128);
    strcpy(text, "ready");
    if (verbose) {
        text = strdup(s->long_banner);
    }
    return text;
}

void server_stop(struct server *s)
{
    while (s->sessions)
        session_close(s, s->sessions);
    free(s->banner);
    if (s->failed)
        free(s->banner);
}
