// A pair of descriptors, asked for in one way and then in another. Those that were written are
// never negative.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

void note(int fd, int other);

static int pair_of(int type, int *other)
{
    int fds[2];
    if (socketpair(AF_UNIX, type, 0, fds) < 0) // OK
        return -1;
    *other = fds[1];
    return fds[0];
}

static int told_pair_of(int type, int *other)
{
    int fd = pair_of(type, other);
    if (fd < 0)
        return -1;
    note(fd, *other);
    return fd;
}

int one_way_or_the_other(int *other)
{
    int fd;
    if ((fd = told_pair_of(SOCK_SEQPACKET, other)) < 0 &&
        (fd = told_pair_of(SOCK_DGRAM, other)) < 0)
        return -1;
    return fd;
}

int both_ends_closed_when_there_are_any(void)
{
    int fds[2] = {-1, -1};
    int status = pipe(fds); // OK
    if (fds[0] >= 0)
        close(fds[0]);
    if (fds[1] >= 0)
        close(fds[1]);
    return status;
}

int first_end_lost_when_the_second_blocks(int *other)
{
    int fds[2];
    if (pipe(fds) < 0) // RESOURCE-LEAK first
        return -1;
    *other = fds[1];
    if (fcntl(fds[1], F_SETFL, O_NONBLOCK) < 0 && fds[0] >= 0)
        return -1; // LOST first
    return fds[0];
}
