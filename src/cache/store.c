// Objects and scratch files on disk.
#include "base/file.h"
#include "base/out.h"
#include "cache/cache_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cache_kind_dir(EntryKind kind)
{
    return kind == ENTRY_OBJECT ? "objects" : "recipes";
}

char *cache_path(const Cache *c, EntryKind kind, Hash128 key)
{
    char text[33];
    hash128_text(key, text);
    return mem_printf("%s/%s/%.2s/%s", c->dir, cache_kind_dir(kind), text, text + 2);
}

static void say_read_only(Cache *c, const char *path, int error)
{
    c->read_only = true;
    if (!c->read_only_said)
        diag_note(c->diag, "the cache cannot be written, going on without: %s: %s", path,
                  strerror(error));
    c->read_only_said = true;
}

Cache *cache_open(const char *dir, uint64_t limit, Diag *d)
{
    Cache *c = mem_alloc(sizeof *c);
    c->limit = limit ? limit : (uint64_t)CACHE_LIMIT_MIB << 20;
    c->diag = d;
    c->scratch_lock = -1;
    c->paths = names_new();
    if (!dir) return c;
    c->dir = mem_printf("%s/v1", dir);
    int error = file_make_dirs(c->dir);
    if (!error && access(c->dir, W_OK) != 0) error = errno;
    if (error) {
        say_read_only(c, dir, error);
        return c;
    }
    // What is in here is of no use to anybody else.
    char *ignore = mem_printf("%s/.gitignore", dir);
    if (!file_exists(ignore)) {
        Out *o = out_file(ignore);
        if (o) out_text(o, "*\n"), out_close(o);
    }
    mem_free(ignore);
    return c;
}

static void free_all(Cache *c)
{
    if (c->scratch_lock >= 0) close(c->scratch_lock);
    mem_free(c->scratch);
    mem_free(c->dir);
    names_free(c->paths);
    vec_free(&c->files);
    vec_free(&c->touched);
    mem_free(c);
}

static void remove_dir(const char *path)
{
    DIR *d = opendir(path);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.' && (!e->d_name[1] || (e->d_name[1] == '.' && !e->d_name[2])))
            continue;
        unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
    rmdir(path);
}

// Scratch directories of runs that were killed: whose lock can be had. A run takes its lock
// before anything else is in its directory, so the worst that can happen between the two is that
// an empty directory of a starting run goes, which that run notices and makes anew.
static void sweep_scratch(Cache *c, const char *tmp)
{
    DIR *d = opendir(tmp);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        char *lock = mem_printf("%s/%s/lock", tmp, e->d_name);
        int fd = open(lock, O_RDWR | O_CLOEXEC);
        mem_free(lock);
        if (fd < 0) continue;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
            char *dead = mem_printf("%s/%s", tmp, e->d_name);
            remove_dir(dead);
            mem_free(dead);
            c->rebuild = true; // it may have stored objects without telling the index
        }
        close(fd);
    }
    closedir(d);
}

const char *cache_scratch(Cache *c)
{
    if (c->scratch || !c->dir || c->read_only) return c->scratch;
    char *tmp = mem_printf("%s/tmp", c->dir);
    int error = file_make_dirs(tmp);
    if (!error) sweep_scratch(c, tmp);
    for (int tries = 0; !error && !c->scratch && tries < 8; tries++) {
        char *dir = mem_printf("%s/run.XXXXXX", tmp);
        if (!mkdtemp(dir)) {
            error = errno;
            mem_free(dir);
            break;
        }
        char *lock = mem_printf("%s/lock", dir);
        int fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        struct stat st;
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && stat(lock, &st) == 0) {
            c->scratch = dir;
            c->scratch_lock = fd;
        } else {
            if (fd >= 0) close(fd);
            remove_dir(dir);
            mem_free(dir);
        }
        mem_free(lock);
    }
    if (error) say_read_only(c, tmp, error);
    mem_free(tmp);
    return c->scratch;
}

void cache_close(Cache *c)
{
    if (c->dir && !c->read_only && c->touched.len) cache_index_update(c);
    if (c->scratch) remove_dir(c->scratch);
    free_all(c);
}

void cache_forget(Cache *c)
{
    free_all(c);
}

void cache_touch(Cache *c, EntryKind kind, Hash128 key, uint64_t size, bool used_only)
{
    vec_push(&c->touched, ((Touched){kind, key, size, used_only}));
}

// A full disk is no reason to speak at every object.
static bool moved(Cache *c, const char *from, const char *to)
{
    if (rename(from, to) == 0) return true;
    if (errno == ENOENT) {
        Arena *a = arena_new("path");
        int error = file_make_dirs(path_dir(a, to));
        arena_free(a);
        if (!error && rename(from, to) == 0) return true;
        if (error) errno = error;
    }
    say_read_only(c, to, errno);
    return false;
}

bool cache_put_file(Cache *c, Hash128 key, const char *path)
{
    if (!c->dir || c->read_only) return false;
    struct stat st;
    if (stat(path, &st) != 0) return false;
    char *to = cache_path(c, ENTRY_OBJECT, key);
    bool ok = moved(c, path, to);
    mem_free(to);
    if (!ok) return false;
    cache_touch(c, ENTRY_OBJECT, key, (uint64_t)st.st_size, false);
    c->counts.stored++;
    return true;
}

bool cache_write_entry(Cache *c, EntryKind kind, Hash128 key, const void *bytes, size_t len)
{
    const char *scratch = cache_scratch(c);
    if (!scratch) return false;
    char *beside = mem_printf("%s/entry", scratch);
    int error = 0;
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) error = errno;
    const char *at = bytes;
    for (size_t left = len; !error && left;) {
        ssize_t n = write(fd, at, left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            error = errno;
        else
            at += n, left -= (size_t)n;
    }
    if (fd >= 0 && close(fd) != 0 && !error) error = errno;
    bool ok = false;
    if (error) {
        say_read_only(c, beside, error);
    } else {
        char *to = cache_path(c, kind, key);
        ok = moved(c, beside, to);
        mem_free(to);
    }
    if (!ok) unlink(beside);
    mem_free(beside);
    if (ok) cache_touch(c, kind, key, len, false);
    return ok;
}

void cache_put(Cache *c, Hash128 key, const void *bytes, size_t len)
{
    if (!c->dir || c->read_only) return;
    if (cache_write_entry(c, ENTRY_OBJECT, key, bytes, len)) c->counts.stored++;
}

char *cache_get(Cache *c, Hash128 key, size_t *len)
{
    if (!c->dir) return NULL;
    char *path = cache_path(c, ENTRY_OBJECT, key);
    char *bytes = file_read(path, 0, len);
    mem_free(path);
    if (bytes) {
        c->counts.hits++;
        cache_touch(c, ENTRY_OBJECT, key, 0, true);
    } else {
        c->counts.misses++;
    }
    return bytes;
}

void cache_drop(Cache *c, Hash128 key)
{
    if (!c->dir) return;
    char *path = cache_path(c, ENTRY_OBJECT, key);
    unlink(path);
    mem_free(path);
}

CacheCounts cache_counts(const Cache *c)
{
    return c->counts;
}
