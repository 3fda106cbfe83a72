// A descriptor in a field that is narrower than an int.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct log {
    short kind;
    short file;
    char *name;
};

void put_line(struct log *l, const char *line)
{
again:
    if (write(l->file, line, strlen(line)) < 0) {
        int e = errno;
        close(l->file);
        if (e == EIO && l->kind == 2) {
            l->file = open(l->name, O_WRONLY); // OK
            if (l->file < 0)
                l->kind = 0;
            else
                goto again;
        } else {
            l->kind = 0;
        }
    }
}

static void log_close(struct log *l)
{
    if (l->file >= 0)
        close(l->file);
}

int one_line(const char *name, const char *line)
{
    struct log l = {.kind = 1};
    l.file = open(name, O_WRONLY); // OK
    if (l.file < 0)
        return -1;
    put_line(&l, line);
    log_close(&l);
    return 0;
}

void opened_again(struct log *l, const char *line)
{
    l->file = open(l->name, O_WRONLY); // RESOURCE-LEAK first
    if (l->file >= 0 && write(l->file, line, strlen(line)) < 0)
        l->file = open("/dev/null", O_WRONLY); // LOST first
}

// ---- Closed twice: the second close returns an error, unless the number was given out again.

int closed_by_both(const char *name)
{
    int fd = open(name, O_RDONLY); // OK
    if (fd < 0) return -1;
    if (lseek(fd, 10, SEEK_SET) < 0) close(fd);
    return close(fd); // DOUBLE-FREE LIKELY because CLOSED_TWICE
}
