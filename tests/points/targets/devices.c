// Callbacks in structs: drivers behind one interface, each opened by a function of its own.
#include <stdlib.h>
struct dev {
    const struct dev_ops *ops;
    int fd;
};
struct dev_ops {
    int (*read)(struct dev *, char *, int);
    int (*write)(struct dev *, char *, int);
    void (*close)(struct dev *);
};
static int disk_read(struct dev *d, char *b, int n) { return d->fd + (b[0] = (char)n); }
static int disk_write(struct dev *d, char *b, int n) { return d->fd - b[0] + n; }
static void disk_close(struct dev *d) { d->fd = -1; }
static int tape_read(struct dev *d, char *b, int n) { return d->fd + b[0] * n; }
static int tape_write(struct dev *d, char *b, int n) { return d->fd - b[0] * n; }
static void tape_close(struct dev *d) { d->fd = -2; }
static int null_rw(struct dev *d, char *b, int n) { return d->fd * 0 + b[0] * 0 + n; }
static void null_close(struct dev *d) { (void)d; }
static const struct dev_ops disk_ops = {disk_read, disk_write, disk_close};
static const struct dev_ops tape_ops = {tape_read, tape_write, tape_close};
static const struct dev_ops null_ops = {null_rw, null_rw, null_close};
static int copy(struct dev *from, struct dev *to)
{
    char block[64] = "";
    int n = from->ops->read(from, block, 64); // CALLS disk_read
    return to->ops->write(to, block, n); // CALLS tape_write
}
static void close_any(struct dev *d) { d->ops->close(d); } // CALLS disk_close, tape_close, null_close
static int discard(struct dev *d, char *b) { return d->ops->write(d, b, 1); } // CALLS null_rw
static int rewind_tape(struct dev *d, char *b) { return d->ops->read(d, b, 0); } // CALLS tape_read
static struct dev *open_disk(void)
{
    struct dev *d = malloc(sizeof *d);
    if (!d) exit(1);
    d->ops = &disk_ops;
    return d;
}
int main(void)
{
    struct dev *disk = open_disk(), tape = {&tape_ops, 1}, null = {.fd = 2};
    char b[8] = "";
    null.ops = &null_ops;
    int n = copy(disk, &tape) + discard(&null, b) + rewind_tape(&tape, b);
    close_any(disk);
    close_any(&tape);
    close_any(&null);
    free(disk);
    return n;
}
