// A call that was interrupted is tried again. A round that changed nothing is no other path: what
// comes behind several such loops is followed as if each call had been made once.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define RETRY(value, call) while (((value) = (call)) == -1 && errno == EINTR)

int left_open_when_a_step_fails(const char *name)
{
    int fd, e;
    struct stat st;
    char c = 'x';
    RETRY(fd, open(name, O_RDWR | O_CREAT, 0666)); // RESOURCE-LEAK fd
    if (fd < 0) return -1;
    RETRY(e, fstat(fd, &st));
    if (e < 0) return -1; // LOST fd
    RETRY(e, read(fd, &c, 1));
    if (e < 0) return -1; // LOST fd
    RETRY(e, write(fd, &c, 1));
    if (e < 0) {
        perror("write");
        return -1; // LOST fd
    }
    close(fd);
    return 0;
}

int closed_when_a_step_fails(const char *name)
{
    int fd, e;
    struct stat st;
    char c = 'x';
    RETRY(fd, open(name, O_RDWR | O_CREAT, 0666)); // OK
    if (fd < 0) return -1;
    RETRY(e, fstat(fd, &st));
    if (e < 0) goto failed;
    RETRY(e, read(fd, &c, 1));
    if (e < 0) goto failed;
    RETRY(e, write(fd, &c, 1));
    if (e < 0) goto failed;
    close(fd);
    return 0;
failed:
    perror(name);
    close(fd);
    return -1;
}

int opened_again_in_each_round(const char *name, int times)
{
    int fd = -1;
    while (times-- > 0) fd = open(name, O_RDONLY); // RESOURCE-LEAK again
    if (fd < 0) return -1;
    close(fd);
    return 0;
}
