// Functions that return 0 or -1: whichever of them is asked for, nothing else is left.
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int asked_for_minus_one(void)
{
    int fd[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == -1) return -1;
    char *p = malloc(8); // OK: the descriptors are there
    if (!p) {
        close(fd[0]);
        close(fd[1]);
        return -1;
    }
    if (fd[0] < 0) return -1;
    free(p);
    close(fd[0]);
    close(fd[1]);
    return 0;
}

int asked_for_anything(void)
{
    int fd[2];
    if (pipe(fd)) return -1; // OK: no descriptors
    close(fd[0]);
    close(fd[1]);
    return 0;
}

int forgotten(int n)
{
    int fd[2];
    if (pipe(fd) != -1) { // RESOURCE-LEAK fd
        close(fd[0]);
        if (n > 3) return -1; // LOST fd
        close(fd[1]);
    }
    return 0;
}
