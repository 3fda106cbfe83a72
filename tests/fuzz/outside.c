// Writing outside of the working directory, seen as it happens.
//
// stanch and its libraries run in the harness's own process, so their calls of these functions come
// here first. A file that is opened for writing must be below the directory in which the watch began,
// or be /dev/null; so must the directory of whatever is made, renamed or removed. Which file that is the
// kernel says (/proc/self/fd), after links: a name proves nothing. Programs that are started are not
// watched: clang is held by Landlock (tests/capture/test_contain.sh).
#include "outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Empty: nothing is watched yet.
static char inside[PATH_MAX];

void outside_watch(void)
{
    if (!getcwd(inside, sizeof inside)) _exit(OUTSIDE_STATUS);
}

static bool is_inside(const char *real)
{
    size_t n = strlen(inside);
    return strcmp(real, "/dev/null") == 0 || strncmp(real, "/memfd:", 7) == 0 ||
           (strncmp(real, inside, n) == 0 && (!real[n] || real[n] == '/'));
}

static void demand(const char *real, const char *what)
{
    if (is_inside(real)) return;
    fprintf(stderr, "fuzz: %s outside: %s\n", what, real);
    _exit(OUTSIDE_STATUS);
}

static void name_of(int fd, char real[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, real, PATH_MAX - 1);
    real[n < 0 ? 0 : n] = 0;
}

// The directory that a name is in, whatever links lead there.
static void check_parent(int dir, const char *path, const char *what)
{
    if (!*inside) return;
    char whole[2 * PATH_MAX] = "", real[PATH_MAX];
    if (*path != '/' && dir != AT_FDCWD) {
        name_of(dir, whole);
        strcat(whole, "/");
    }
    strncat(whole, path, PATH_MAX - 1);
    char *slash = strrchr(whole, '/');
    if (slash && slash[1] == 0 && slash != whole) *slash = 0, slash = strrchr(whole, '/');
    if (slash) slash[slash == whole] = 0;
    if (realpath(slash ? whole : ".", real)) demand(real, what); // else there is nothing to change
}

static int opened(int fd, int flags)
{
    int error = errno;
    if (fd >= 0 && *inside && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT))) {
        char real[PATH_MAX];
        name_of(fd, real);
        demand(real, "writes");
    }
    errno = error;
    return fd;
}

#define MODE(flags, last)                                                                          \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list more;                                                                              \
        va_start(more, last);                                                                      \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

int openat(int dir, const char *path, int flags, ...)
{
    MODE(flags, flags)
    return opened((int)syscall(SYS_openat, dir, path, flags, mode), flags);
}

int open(const char *path, int flags, ...)
{
    MODE(flags, flags)
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), flags);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags, flags)
    return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode), flags);
}

int openat64(int dir, const char *path, int flags, ...)
{
    MODE(flags, flags)
    return opened((int)syscall(SYS_openat, dir, path, flags | O_LARGEFILE, mode), flags);
}

int creat(const char *path, mode_t mode)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    // Afterwards: whoever makes a whole path begins with directories that are there.
    int status = (int)syscall(SYS_mkdirat, dir, path, mode), error = errno;
    if (status == 0) check_parent(dir, path, "makes a directory");
    errno = error;
    return status;
}

int mkdir(const char *path, mode_t mode)
{
    return mkdirat(AT_FDCWD, path, mode);
}

int unlinkat(int dir, const char *path, int flags)
{
    check_parent(dir, path, "removes");
    return (int)syscall(SYS_unlinkat, dir, path, flags);
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    check_parent(from_dir, from, "renames");
    check_parent(to_dir, to, "renames");
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, 0);
}

int rename(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int symlinkat(const char *to, int dir, const char *path)
{
    check_parent(dir, path, "links");
    return (int)syscall(SYS_symlinkat, to, dir, path);
}

int symlink(const char *to, const char *path)
{
    return symlinkat(to, AT_FDCWD, path);
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    check_parent(to_dir, to, "links");
    return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
}

int link(const char *from, const char *to)
{
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}
