// A descriptor duplicated in the newer way, and in the older where the kernel refuses.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int old_way_where_refused(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3); // OK
    if (copy < 0 && errno == EINVAL)
        copy = fcntl(fd, F_DUPFD, 3); // OK
    return copy;
}

int closed_when_flags_fail(int fd)
{
    int copy = fcntl(fd, F_DUPFD, 10); // OK
    if (copy < 0)
        return -1;
    if (fcntl(copy, F_SETFD, FD_CLOEXEC) < 0) {
        close(copy);
        return -1;
    }
    return copy;
}

int kept_open_when_flags_fail(int fd)
{
    int copy = fcntl(fd, F_DUPFD, 10); // RESOURCE-LEAK copy
    if (copy < 0)
        return -1;
    if (fcntl(copy, F_SETFD, FD_CLOEXEC) < 0)
        return -1; // LOST copy
    return copy;
}
