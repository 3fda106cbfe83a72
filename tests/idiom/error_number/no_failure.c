// Nothing has failed, or the program itself has set the number to 0: it may be 0.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

long number_of(const char *text)
{
    char *copy = strdup(text); // LEAK copy
    if (!copy)
        return -1;
    errno = 0;
    long n = strtol(copy, NULL, 10);
    if (errno == 0)
        return n; // LOST copy
    free(copy);
    return -1;
}

long number_read(const char *text)
{
    char *copy = strdup(text); // OK
    if (!copy)
        return -1;
    errno = 0;
    long n = strtol(copy, NULL, 10);
    free(copy);
    return errno == 0 ? n : -1;
}

// The failure before is one of the past.
long set_to_zero(int fd, const char *text)
{
    char *copy = strdup(text); // LEAK zero
    if (!copy)
        return -1;
    if (write(fd, copy, 1) < 0) {
        errno = 0;
        long n = strtol(copy, NULL, 10);
        if (errno == 0)
            return n; // LOST zero
    }
    free(copy);
    return 0;
}

int never_zero(int fd, const char *text)
{
    char *copy = strdup(text); // OK
    if (!copy)
        return -1;
    if (write(fd, copy, 1) < 0 && errno == 0)
        return 0;
    free(copy);
    return 0;
}
