// A descriptor that has to get a certain number: it is known by that number afterwards.
#include <fcntl.h>
#include <unistd.h>

static int moved_to(int fd, int wanted) {
    int result = -1;
    if (fd == wanted)
        return fd;
    if (fd >= 0 && fd < wanted)
        result = moved_to(dup(fd), wanted);
    close(fd);
    return result;
}

int reopened(const char *path, int wanted) {
    int fd;
    close(wanted);
    if ((fd = open(path, O_RDONLY)) < 0 || moved_to(fd, wanted) < 0) // OK
        return -1;
    return 0;
}

static int copy_of(int fd) {
    int result = dup(fd);
    close(fd);
    return result;
}

int reopened_anywhere(const char *path) {
    int fd;
    if ((fd = open(path, O_RDONLY)) < 0 || copy_of(fd) < 0) // RESOURCE-LEAK copy
        return -1;
    return 0; // LOST copy
}
