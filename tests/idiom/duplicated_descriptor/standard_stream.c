// A descriptor that may be one of the streams that are open already: theirs is not ours to close.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *out;

static int opened(const char *name)
{
    if (strcmp(name, "-") == 0)
        return fileno(stdout);
    return open(name, O_WRONLY);
}

void set_output(const char *name)
{
    int fd = opened(name); // OK
    if (fd == -1)
        out = NULL;
    else if (fd == fileno(stdout))
        out = stdout;
    else
        out = fdopen(fd, "w");
    if (out == NULL) {
        if (fd != -1 && fd != fileno(stdout))
            close(fd);
        out = stderr;
    }
}

void set_output_or_lose_it(const char *name)
{
    int fd = opened(name); // RESOURCE-LEAK output
    if (fd == -1)
        out = NULL;
    else if (fd == fileno(stdout))
        out = stdout;
    else
        out = fdopen(fd, "w");
    if (out == NULL)
        out = stderr;
} // LOST output
