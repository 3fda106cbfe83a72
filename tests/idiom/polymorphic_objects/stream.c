// Objects with a table of operations: each kind releases itself.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct stream;

struct stream_ops {
    int (*read)(struct stream *, void *, int);
    void (*close)(struct stream *);
};

struct stream {
    const struct stream_ops *ops;
};

struct memory_stream {
    struct stream base;
    char *data;
    int at, size;
};

struct file_stream {
    struct stream base;
    int fd;
};

static int memory_read(struct stream *s, void *to, int n) {
    struct memory_stream *m = (struct memory_stream *)s;
    if (n > m->size - m->at)
        n = m->size - m->at;
    memcpy(to, m->data + m->at, n);
    m->at += n;
    return n;
}

static void memory_close(struct stream *s) {
    struct memory_stream *m = (struct memory_stream *)s;
    free(m->data);
    free(m);
}

static int file_read(struct stream *s, void *to, int n) {
    return (int)read(((struct file_stream *)s)->fd, to, n);
}

static void file_close(struct stream *s) {
    close(((struct file_stream *)s)->fd);
    free(s);
}

static const struct stream_ops memory_ops = {memory_read, memory_close};
static const struct stream_ops file_ops = {file_read, file_close};

static struct stream *memory_open(const char *text) {
    struct memory_stream *m = calloc(1, sizeof *m); // LEAK stream
    if (m == NULL)
        return NULL;
    m->base.ops = &memory_ops;
    m->data = strdup(text); // ALSO data
    if (m->data == NULL) {
        free(m);
        return NULL;
    }
    m->size = (int)strlen(text);
    return &m->base;
}

struct stream *file_open(const char *path) {
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0)
        return NULL;
    struct file_stream *f = malloc(sizeof *f); // OK
    if (f == NULL)
        return NULL; // LOST fd
    f->base.ops = &file_ops;
    f->fd = fd;
    return &f->base;
}

int closed_by_its_own_operation(const char *text) {
    struct stream *s = memory_open(text);
    if (s == NULL)
        return -1;
    char c;
    int n = s->ops->read(s, &c, 1);
    s->ops->close(s);
    return n;
}

int not_closed_on_a_short_read(const char *text) {
    struct stream *s = memory_open(text); // LEAK stream
    if (s == NULL)
        return -1;
    char c;
    if (s->ops->read(s, &c, 1) != 1)
        return -1; // LOST stream; LOST data
    s->ops->close(s);
    return c;
}
