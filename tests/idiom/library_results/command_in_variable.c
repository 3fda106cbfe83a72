// Whether a descriptor comes back is said by the command, which another function chooses.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct table {
    int fd;
};

int ask_for_lock(struct table *t, int how)
{
    struct flock lock = {.l_type = F_RDLCK};
    int r;
    do
        r = fcntl(t->fd, how, &lock); // OK
    while (r == -1 && errno == EINTR);
    if (r == -1)
        return -1;
    return 0;
}

int certainly_a_copy(int fd)
{
    int r = fcntl(fd, F_DUPFD, 10); // RESOURCE-LEAK copy
    if (r == -1)
        return -1;
    return 0; // LOST copy
}

int a_copy_as_was_asked(int fd, int command)
{
    int r;
    if (command != F_DUPFD)
        return -1;
    r = fcntl(fd, command, 10); // RESOURCE-LEAK asked
    if (r == -1)
        return -1;
    return 0; // LOST asked
}
