// A descriptor is a number: stored in memory that is handed to unknown code, it is kept there, also
// when that happens inside a callee.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
    struct node *next;
    int fd;
};

void hook(struct node *n);

static int add(const int *fd) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        return -1;
    n->fd = *fd;
    hook(n);
    return 0;
}

static int look(const int *fd) {
    return *fd > 10;
}

int kept_by_unknown_code(const char *name) {
    int fd = open(name, O_RDONLY); // OK
    if (fd < 0)
        return -1;
    if (add(&fd) < 0) {
        close(fd);
        return -1;
    }
    return 0;
}

int only_looked_at(const char *name) {
    int fd = open(name, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0)
        return -1;
    return look(&fd); // LOST fd
}
