// What a daemon does with its streams: the descriptor itself goes unless it has become one of them.
#include <fcntl.h>
#include <unistd.h>

void streams_to_nothing(void)
{
    int fd = open("/dev/null", O_RDWR); // OK
    if (fd < 0)
        return;
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

void tested_against_minus_one(void)
{
    int fd;
    if ((fd = open("/dev/null", O_RDWR)) != -1) { // OK
        dup2(fd, STDOUT_FILENO);
        if (fd > STDERR_FILENO)
            close(fd);
    }
}

void one_too_many_stays_open(void)
{
    int fd = open("/dev/null", O_RDWR); // RESOURCE-LEAK fd
    if (fd < 0)
        return;
    dup2(fd, STDOUT_FILENO);
    if (fd > 3)
        close(fd);
} // LOST fd
