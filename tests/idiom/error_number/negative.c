// The number of an error is positive once a call has failed: who returns it with a minus returns a negative number.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct reader {
    char *line;
    int fd;
};

static int fill_or_drop(struct reader *r)
{
    int err = 0;
    if (read(r->fd, r->line, 10) < 0) {
        err = -errno;
        free(r->line);
        return err;
    }
    return 0;
}

int released_once(int fd)
{
    struct reader r = {malloc(10), fd}; // OK
    if (!r.line)
        return -1;
    int err = fill_or_drop(&r);
    if (err < 0)
        return err;
    free(r.line);
    return 0;
}

int released_again(int fd)
{
    struct reader r = {malloc(10), fd};
    if (!r.line)
        return -1;
    int err = fill_or_drop(&r);
    if (err < -100000)
        return err;
    free(r.line); // DOUBLE-FREE
    return 0;
}

static int open_for(char **name, const char *path)
{
    char *copy = strdup(path); // OK
    if (!copy)
        return -ENOMEM;
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        int err = errno;
        free(copy);
        return -err;
    }
    *name = copy;
    return fd;
}

int name_length(const char *path)
{
    char *name;
    int fd = open_for(&name, path), n;
    if (fd < 0)
        return fd;
    n = (int)strlen(name);
    free(name);
    close(fd);
    return n;
}

static int ask_or_drop(int fd, void *block)
{
    int size;
    if (ioctl(fd, 1, &size)) {
        free(block);
        return errno;
    }
    return 0;
}

int asked(int fd)
{
    char *block = malloc(4);
    if (!block)
        return 1;
    int err = ask_or_drop(fd, block);
    if (err)
        return err;
    free(block);
    return 0;
}
