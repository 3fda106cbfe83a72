// A new descriptor has the lowest number that is free: the one that was closed just before.
#include <fcntl.h>
#include <unistd.h>

static int again(int fd)
{
    int i;
    while ((i = dup(fd)) < 0)
        ;
    return i;
}

static void shut(int fd)
{
    if (fd >= 0)
        close(fd);
}

void becomes_the_input(int from)
{
    close(0);
    dup(from); // OK
    close(from);
}

void becomes_the_input_by_wrappers(int from)
{
    shut(0);
    again(from); // OK
    shut(from);
}

void both_ends(int in, int out)
{
    close(0);
    close(1);
    dup(in);  // OK
    dup(out); // OK
    close(in);
    close(out);
}

void nothing_is_told(void)
{
    int fd;
    close(2);
    fd = open("/dev/null", O_WRONLY); // OK
    if (fd < 0)
        _exit(1);
}

// In what place it comes to stand is not seen here.
void meant_for_some_place(int old)
{
    dup(old); // OK
}

int closed_afterwards(int from)
{
    int copy = dup(from); // RESOURCE-LEAK copy
    close(0);
    return copy == 7; // LOST copy
}

int one_more_than_was_closed(int from, int other)
{
    int copy;
    close(0);
    dup(from);         // OK
    copy = dup(other); // RESOURCE-LEAK second
    if (copy < 0)
        return -1;
    return 0; // LOST second
}

// With all of them closed the first three numbers are asked for.
int a_process_of_its_own(void)
{
    int i, fd;
    for (i = getdtablesize(); --i >= 0;)
        close(i);
    fd = open("/dev/null", O_RDWR); // OK
    if (!(fd == 0 && dup(fd) == 1 && dup(fd) == 2 && !chdir("/")))
        _exit(2);
    return 0;
}
