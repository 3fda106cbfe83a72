// A small struct travels in one register: a descriptor in it is there too, beside other fields and padding.
// run: --level=likely
#include <fcntl.h>
#include <unistd.h>

struct channel {
    int fd, flags;
};

struct marked {
    int fd;
    char mark;
};

static struct channel open_channel(const char *path)
{
    struct channel c;
    c.fd = open(path, O_RDONLY); // OK
    c.flags = 1;
    return c;
}

static struct marked open_marked(const char *path, char mark)
{
    int fd = open(path, O_RDONLY);
    struct marked m = {fd, mark};
    return m;
}

int closed_by_the_caller(const char *path)
{
    struct channel c = open_channel(path);
    if (c.fd < 0) return -1;
    char byte;
    int n = (int)read(c.fd, &byte, 1);
    close(c.fd);
    return n;
}

int padding_beside_it(const char *path)
{
    struct marked m = open_marked(path, 'a');
    if (m.fd < 0) return -1;
    if (m.mark != 'a') return -2; // never
    close(m.fd);
    return 0;
}

int forgotten_by_the_caller(const char *path)
{
    struct marked m = open_marked(path, 'b'); // RESOURCE-LEAK dropped
    char byte;
    if (m.fd < 0) return -1;
    if (read(m.fd, &byte, 1) != 1) return -1; // LOST dropped
    close(m.fd);
    return 0;
}

static int close_channel(struct channel c)
{
    return close(c.fd);
}

int passed_by_value(const char *path)
{
    struct channel c = open_channel(path);
    if (c.fd < 0) return -1;
    return close_channel(c);
}

void into_the_caller(struct channel *into, const char *path)
{
    *into = open_channel(path);
}
