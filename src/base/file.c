#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read(const char *path, size_t limit, size_t *len)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    struct stat st;
    int error = 0;
    char *text = NULL;
    size_t size = 0, cap = 0;
    if (fstat(fd, &st) != 0)
        error = errno;
    else if (S_ISDIR(st.st_mode))
        error = EISDIR;
    else
        cap = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 4096;
    if (!error && limit && cap > limit && S_ISREG(st.st_mode)) error = EFBIG;
    if (!error) text = mem_alloc(cap + 1);
    while (!error) {
        if (size == cap) {
            text = mem_resize(text, cap + 1, cap * 2 + 1);
            cap *= 2;
        }
        ssize_t n = read(fd, text + size, cap - size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            error = errno;
        else if (n == 0)
            break;
        else
            size += (size_t)n;
        if (limit && size > limit) error = EFBIG;
    }
    close(fd);
    if (error) {
        mem_free(text);
        errno = error;
        return NULL;
    }
    text[size] = 0;
    if (len) *len = size;
    return text;
}

int file_write_all(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        at += n;
        len -= (size_t)n;
    }
    return 0;
}

bool file_read_at(int fd, void *into, size_t len, uint64_t at)
{
    for (size_t done = 0; done < len;) {
        ssize_t got = pread(fd, (char *)into + done, len - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool file_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int file_make_dirs(const char *path)
{
    char *copy = mem_strdup(path);
    int error = 0;
    for (char *p = copy + 1; !error; p++) {
        if (*p != '/' && *p != 0) continue;
        char saved = *p;
        *p = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) error = errno;
        *p = saved;
        if (!saved) break;
    }
    if (!error && !file_is_dir(path)) error = ENOTDIR;
    mem_free(copy);
    return error;
}

char *path_normal(Arena *a, const char *path)
{
    size_t n = strlen(path);
    char *out = arena_alloc(a, n + 2);
    size_t len = 0, floor = 0; // below floor nothing may be taken back: the root, or leading ".."
    if (path[0] == '/') out[len++] = '/', floor = 1;
    for (size_t i = 0; i < n;) {
        while (path[i] == '/') i++;
        size_t part = strcspn(path + i, "/");
        if (part == 0) break;
        if (part == 1 && path[i] == '.') {
            i += 1;
            continue;
        }
        if (part == 2 && path[i] == '.' && path[i + 1] == '.') {
            i += 2;
            if (len > floor) {
                while (len > floor && out[len - 1] != '/') len--;
                if (len > floor) len--;
                continue;
            }
            if (floor == 1 && out[0] == '/') continue; // "/.." is "/"
            if (len) out[len++] = '/';
            out[len++] = '.', out[len++] = '.';
            floor = len;
            continue;
        }
        if (len && out[len - 1] != '/') out[len++] = '/';
        memcpy(out + len, path + i, part);
        len += part;
        i += part;
    }
    if (len == 0) out[len++] = '.';
    out[len] = 0;
    return out;
}

char *path_join(Arena *a, const char *dir, const char *path)
{
    if (path[0] == '/') return path_normal(a, path);
    char *joined = mem_printf("%s/%s", dir, path);
    char *normal = path_normal(a, joined);
    mem_free(joined);
    return normal;
}

const char *path_below(const char *dir, const char *path)
{
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/') n--;
    if (n == 1 && dir[0] == '/') return path[0] == '/' && path[1] ? path + 1 : path;
    if (strncmp(dir, path, n) != 0 || path[n] != '/' || path[n + 1] == 0) return path;
    return path + n + 1;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_extension(const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? dot + 1 : "";
}

char *path_dir(Arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return arena_strdup(a, ".");
    if (slash == path) return arena_strdup(a, "/");
    return arena_strndup(a, path, (size_t)(slash - path));
}

char *path_cwd(Arena *a)
{
    char *cwd = getcwd(NULL, 0);
    if (!cwd) die("the working directory cannot be read: %s", strerror(errno));
    char *kept = arena_strdup(a, cwd);
    mem_free(cwd);
    return kept;
}
