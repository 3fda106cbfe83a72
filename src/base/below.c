#include "base/below.h"

#include "base/file.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int below_trust(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// One component. A link is told apart from what is no directory, for the message.
static int enter(int dir, const char *name, bool make)
{
    if (make && mkdirat(dir, name, 0777) != 0 && errno != EEXIST) return -1;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 && errno == ENOTDIR) {
        bool link = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
        errno = link ? ELOOP : ENOTDIR;
    }
    return fd;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int below_dir(int dir, const char *path, bool make)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (const char *s = path; fd >= 0 && *s;) {
        size_t n = strcspn(s, "/");
        char name[256];
        int next = -1;
        if (!n || n >= sizeof name) {
            errno = n ? ENAMETOOLONG : EINVAL;
        } else {
            memcpy(name, s, n);
            name[n] = 0;
            if (is_dots(name))
                errno = EINVAL;
            else
                next = enter(fd, name, make);
        }
        int saved = errno;
        close(fd);
        errno = saved;
        fd = next;
        s += n + (s[n] == '/');
    }
    return fd;
}

int below_open(int dir, const char *name, int flags)
{
    if (!*name || is_dots(name) || strchr(name, '/')) {
        errno = EINVAL;
        return -1;
    }
    // Without O_NONBLOCK opening a FIFO waits for its other end.
    int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    struct stat st;
    int error = fstat(fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
    // A second name of a file elsewhere, which an archive can bring along.
    if (!error && (flags & O_ACCMODE) != O_RDONLY && st.st_nlink > 1) error = EMLINK;
    if (!error) return fd;
    close(fd);
    errno = error;
    return -1;
}

char *below_read(int dir, const char *name, size_t limit, size_t *len)
{
    int fd = below_open(dir, name, O_RDONLY);
    if (fd < 0) return NULL;
    struct stat st;
    int error = fstat(fd, &st) != 0 ? errno : 0;
    if (!error && (uint64_t)st.st_size > limit) error = EFBIG;
    size_t size = error ? 0 : (size_t)st.st_size, done = 0;
    char *text = mem_alloc(size + 1);
    while (!error && done < size) {
        ssize_t n = read(fd, text + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            error = errno;
        else if (n == 0)
            break; // it became shorter
        else
            done += (size_t)n;
    }
    close(fd);
    if (error) {
        mem_free(text);
        errno = error;
        return NULL;
    }
    text[done] = 0;
    if (len) *len = done;
    return text;
}

int below_write(int dir, const char *name, const void *bytes, size_t len)
{
    char *beside = NULL;
    int fd = -1;
    for (int tries = 0; tries < 8 && fd < 0; tries++) {
        uint64_t any;
        if (getrandom(&any, sizeof any, GRND_NONBLOCK) != (ssize_t)sizeof any)
            any = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid() << 3 ^ (uint64_t)tries;
        mem_free(beside);
        beside = mem_printf("%s.%llx", name, (unsigned long long)any);
        fd = below_open(dir, beside, O_WRONLY | O_CREAT | O_EXCL);
        if (fd < 0 && errno != EEXIST) break;
    }
    int error = fd < 0 ? errno : file_write_all(fd, bytes, len);
    if (fd >= 0 && close(fd) != 0 && !error) error = errno;
    // A rename replaces a link, it does not follow it.
    if (!error && renameat(dir, beside, dir, name) != 0) error = errno;
    if (error && fd >= 0) unlinkat(dir, beside, 0);
    mem_free(beside);
    return error;
}

int below_lock(int dir, const char *name)
{
    int fd = below_open(dir, name, O_RDWR | O_CREAT);
    if (fd < 0) return -1;
    for (int tries = 0; tries < 500; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
        if (errno != EWOULDBLOCK && errno != EINTR) break;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

static DIR *list(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !d) close(fd);
    return d;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

const char **below_list(Arena *a, int dir, const char *end)
{
    VEC(const char *) names = {0};
    DIR *d = list(dir);
    size_t m = strlen(end);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n > m && e->d_name[0] != '.' && strcmp(e->d_name + n - m, end) == 0)
            vec_push(&names, arena_strdup(a, e->d_name));
    }
    if (d) closedir(d);
    if (names.len) qsort(names.at, names.len, sizeof *names.at, compare_texts);
    vec_push(&names, NULL);
    vec_keep(&names, a);
    return names.at;
}

void below_remove(int dir, const char *name)
{
    int fd = below_dir(dir, name, false);
    DIR *d = fd >= 0 ? list(fd) : NULL;
    if (d) {
        for (struct dirent *e; (e = readdir(d));)
            if (!is_dots(e->d_name)) unlinkat(fd, e->d_name, 0);
        closedir(d);
    }
    if (fd < 0) return;
    close(fd);
    unlinkat(dir, name, AT_REMOVEDIR);
}

const char *below_why(int error)
{
    switch (error) {
    case ELOOP:
        return "it is, or is reached through, a symbolic link, and links are not followed there";
    case EINVAL:
        return "it is not a regular file";
    case EMLINK:
        return "the file has a second name elsewhere";
    case EFBIG:
        return "it is too large";
    default:
        return strerror(error);
    }
}
