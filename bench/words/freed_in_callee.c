#include <stdlib.h>
#include <unistd.h>
struct conn { char *buf; int fd; };
static void conn_drop(struct conn *c)
{
    free(c->buf);
    free(c);
}
static int conn_send(struct conn *c, const char *text, size_t n)
{
    if (n > 4096) {
        conn_drop(c);
        return -1;
    }
    return write(c->fd, text, n) < 0;
}
int relay(struct conn *c, const char *text, size_t n)
{
    conn_send(c, text, n);
    c->fd = -1;
    return 0;
}
