// A descriptor is kept as another number, from which it is worked out again.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// 0 says that none was needed.
static int opened_plus_one(const char *name)
{
    int fd;
    if (errno == EXDEV && 0 <= (fd = open(name, O_WRONLY)))
        return fd + 1;
    return -1;
}

int one_less_is_closed(const char *name)
{
    int fd = opened_plus_one(name); // OK
    if (fd > 0)
        close(fd - 1);
    return fd < 0 ? -1 : 0;
}

int closed_only_when_large(const char *name)
{
    int fd = opened_plus_one(name); // RESOURCE-LEAK small
    if (fd > 100)
        close(fd - 1);
    return fd < 0 ? -1 : 0; // LOST small
}

int packed_with_flags(const char *name, int flags)
{
    int fd = open(name, O_RDONLY), both; // OK
    if (fd < 0)
        return -1;
    both = fd << 8 | (flags & 255);
    close(both >> 8);
    return 0;
}

int the_other_bits(const char *name)
{
    int fd = open(name, O_RDONLY), other; // OK
    if (fd < 0)
        return -1;
    other = ~fd;
    close(~other);
    return 0;
}
