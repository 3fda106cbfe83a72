// A channel of glib may close its descriptor when the last reference goes: what was given to one is kept.
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct GIOChannel GIOChannel;
GIOChannel *g_io_channel_unix_new(int fd);
void g_io_channel_set_close_on_unref(GIOChannel *channel, int close);
void g_io_channel_unref(GIOChannel *channel);

int peek(const char *path)
{
    char c = 0;
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0) return -1;
    GIOChannel *io = g_io_channel_unix_new(fd);
    g_io_channel_set_close_on_unref(io, true);
    if (read(fd, &c, 1) != 1) c = 0;
    g_io_channel_unref(io);
    return c;
}

int gives_up_before(const char *path, bool quiet)
{
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK early
    if (fd < 0) return -1;
    if (quiet) return 0; // LOST early
    GIOChannel *io = g_io_channel_unix_new(fd);
    g_io_channel_set_close_on_unref(io, true);
    g_io_channel_unref(io);
    return 1;
}
