// A descriptor that a global keeps for the next call; the next call closes it, on paths that are
// joined.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int dir = -1;
static char dir_name[1024];
static int quiet, keep;

static int dir_set(const char *name, size_t n)
{
    if (strncmp(dir_name, name, n) != 0 || dir_name[n]) {
        if (dir >= 0) close(dir);
        memcpy(dir_name, name, n);
        dir_name[n] = 0;
        dir = open(dir_name, O_RDONLY | O_DIRECTORY); // OK
    }
    return dir;
}

static int open_in_dir(const char *name, struct stat *st)
{
    const char *base = name;
    int at = AT_FDCWD;
    if (!quiet && lstat(name, st) != 0) return -1;
    if (!keep) {
        const char *slash = strrchr(name, '/');
        size_t n = slash ? (size_t)(slash - name) : 0;
        int d = dir_set(name, n);
        if (d >= 0) {
            if (slash) base = slash + 1;
            at = d;
        }
    }
    int fd = openat(at, base, O_RDONLY);
    if (fd >= 0 && fstat(fd, st) != 0) {
        int e = errno;
        close(fd);
        errno = e;
        return -1;
    }
    return fd;
}

int open_with_ending(const char *name, struct stat *st)
{
    char longer[1100];
    int fd = open_in_dir(name, st); // OK
    if (fd >= 0) return fd;
    if (errno != ENOENT || strlen(name) > 1000) return -1;
    snprintf(longer, sizeof longer, "%s.gz", name);
    fd = open_in_dir(longer, st); // OK
    if (fd >= 0) return fd;
    snprintf(longer, sizeof longer, "%s.Z", name);
    return open_in_dir(longer, st); // OK
}

int only_looked_at(const char *name)
{
    struct stat st;
    int fd = open_in_dir(name, &st); // RESOURCE-LEAK fd
    return fd >= 0 && st.st_size > 0; // LOST fd
}
