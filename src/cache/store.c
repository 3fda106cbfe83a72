// Objects and scratch files on disk.
#include "base/below.h"
#include "base/file.h"
#include "cache/cache_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *cache_kind_dir(EntryKind kind)
{
    return kind == ENTRY_OBJECT ? "objects" : "recipes";
}

int cache_entry_dir(const Cache *c, EntryKind kind, Hash128 key, bool make, char name[33])
{
    char text[33], dir[16];
    hash128_text(key, text);
    snprintf(dir, sizeof dir, "%s/%.2s", cache_kind_dir(kind), text);
    snprintf(name, 33, "%s", text + 2);
    return below_dir(c->fd, dir, make);
}

void cache_remove_entry(const Cache *c, EntryKind kind, Hash128 key)
{
    char name[33];
    int dir = cache_entry_dir(c, kind, key, false, name);
    if (dir < 0) return;
    unlinkat(dir, name, 0);
    close(dir);
}

static void say_read_only(Cache *c, const char *path, int error)
{
    c->read_only = true;
    if (!c->read_only_said)
        diag_note(c->diag, "the cache cannot be written, going on without: %s: %s", path,
                  below_why(error));
    c->read_only_said = true;
}

static Cache *cache_new(uint64_t limit, Diag *d)
{
    Cache *c = mem_alloc(sizeof *c);
    c->limit = limit ? limit : (uint64_t)CACHE_LIMIT_MIB << 20;
    c->diag = d;
    c->fd = c->scratch_lock = c->scratch_fd = -1;
    c->paths = names_new();
    cache_packs_init(c);
    return c;
}

// `dir` is trusted, `below` is not.
Cache *cache_open(const char *dir, const char *below, const char *root, uint64_t limit, Diag *d)
{
    Cache *c = cache_new(limit, d);
    if (!dir) return c;
    char *within = mem_printf("%s%sv1", below, *below ? "/" : "");
    char *path = mem_printf("%s/%s", dir, within);
    int error = *below ? 0 : file_make_dirs(dir);
    int trusted = error ? -1 : below_trust(dir);
    if (trusted >= 0) c->fd = below_dir(trusted, within, true);
    if (c->fd < 0 && !error) error = errno;
    if (trusted >= 0 && c->fd < 0) c->fd = below_dir(trusted, within, false);
    if (c->fd >= 0 && !error && faccessat(c->fd, ".", W_OK, AT_EACCESS) != 0) error = errno;
    if (c->fd >= 0) {
        c->dir = path;
        const char *why;
        c->secret = cache_secret(root, &c->lasting, &why);
        if (why) diag_note(d, "nothing of the cache is used again: %s", why);
    } else {
        mem_free(path);
    }
    if (error) say_read_only(c, dir, error);
    // What is in here is of no use to anybody else.
    int top = error ? -1 : below_dir(trusted, below, false);
    if (top >= 0 && faccessat(top, ".gitignore", F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        below_write(top, ".gitignore", "*\n", 2);
    if (top >= 0) close(top);
    if (trusted >= 0) close(trusted);
    mem_free(within);
    return c;
}

static void free_all(Cache *c)
{
    if (c->scratch_lock >= 0) close(c->scratch_lock);
    if (c->scratch_fd >= 0) close(c->scratch_fd);
    if (c->fd >= 0) close(c->fd);
    mem_free(c->scratch);
    mem_free(c->dir);
    names_free(c->paths);
    vec_free(&c->files);
    vec_free(&c->touched);
    mem_free(c);
}

// Scratch directories of runs that were killed: whose lock can be had. A run takes its lock
// before anything else is in its directory, so the worst that can happen between the two is that
// an empty directory of a starting run goes, which that run notices and makes anew.
static void sweep_scratch(Cache *c, int tmp)
{
    Arena *a = arena_new("sweep");
    for (const char **name = below_list(a, tmp, ""); *name; name++) {
        int dir = below_dir(tmp, *name, false);
        int lock = dir >= 0 ? below_open(dir, "lock", O_RDWR) : -1;
        if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
            below_remove(tmp, *name);
            c->rebuild = true; // it may have stored objects without telling the index
        }
        if (lock >= 0) close(lock);
        if (dir >= 0) close(dir);
    }
    arena_free(a);
}

static const char *open_scratch(Cache *c)
{
    if (c->scratch || !c->dir || c->read_only) return c->scratch;
    int tmp = below_dir(c->fd, "tmp", true), error = tmp < 0 ? errno : 0;
    if (!error) sweep_scratch(c, tmp);
    for (int tries = 0; !error && !c->scratch && tries < 8; tries++) {
        // The path is no other than what the descriptor stands for: no component is a link.
        char *dir = mem_printf("%s/tmp/run.XXXXXX", c->dir);
        if (!mkdtemp(dir)) {
            error = errno;
            mem_free(dir);
            break;
        }
        const char *name = path_base(dir);
        int fd = below_dir(tmp, name, false);
        int lock = fd >= 0 ? below_open(fd, "lock", O_RDWR | O_CREAT) : -1;
        struct stat st;
        if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstatat(fd, "lock", &st, 0) == 0) {
            c->scratch = dir;
            c->scratch_fd = fd;
            c->scratch_lock = lock;
        } else {
            if (fd < 0 || lock < 0) error = errno;
            if (lock >= 0) close(lock);
            if (fd >= 0) close(fd);
            below_remove(tmp, name);
            mem_free(dir);
        }
    }
    if (tmp >= 0) close(tmp);
    if (error) say_read_only(c, c->dir, error);
    return c->scratch;
}

static void remove_scratch(Cache *c)
{
    if (!c->scratch) return;
    int tmp = below_dir(c->fd, "tmp", false);
    if (tmp >= 0) below_remove(tmp, path_base(c->scratch));
    if (tmp >= 0) close(tmp);
    close(c->scratch_lock);
    close(c->scratch_fd);
    c->scratch_lock = c->scratch_fd = -1;
    mem_free(c->scratch);
    c->scratch = NULL;
}

const char *cache_scratch(Cache *c)
{
    c->scratch_wanted = true;
    return open_scratch(c);
}

void cache_scratch_done(Cache *c)
{
    c->scratch_wanted = false;
    remove_scratch(c);
}

bool cache_scratch_begin(Cache *c, sigset_t *before)
{
    signals_hold(before);
    if (open_scratch(c)) return true;
    signals_release(before);
    return false;
}

void cache_scratch_end(Cache *c, const sigset_t *before)
{
    if (!c->scratch_wanted) remove_scratch(c);
    signals_release(before);
}

void cache_close(Cache *c)
{
    sigset_t before;
    signals_hold(&before);
    cache_packs_end(c, true);
    remote_free(c->remote);
    if (c->dir && !c->read_only && c->touched.len) cache_index_update(c);
    remove_scratch(c);
    free_all(c);
    signals_release(&before);
}

void cache_forget(Cache *c)
{
    cache_packs_end(c, false);
    free_all(c);
}

void cache_touch(Cache *c, EntryKind kind, Hash128 key, uint64_t size, bool used_only)
{
    vec_push(&c->touched, ((Touched){kind, key, size, used_only}));
}

// Moves a sealed file of the scratch directory to its place. A full disk is no reason to speak at
// every object.
static bool moved(Cache *c, const char *name, EntryKind kind, Hash128 key)
{
    char to[33];
    int dir = cache_entry_dir(c, kind, key, true, to);
    int error = dir < 0 || renameat(c->scratch_fd, name, dir, to) != 0 ? errno : 0;
    if (dir >= 0) close(dir);
    if (error) say_read_only(c, c->dir, error);
    return !error;
}

static int append_seal(Cache *c, int fd, EntryKind kind, Hash128 key, const void *bytes, size_t len)
{
    Seal seal = cache_seal(c->secret, kind, key, bytes, len);
    ssize_t n = pwrite(fd, &seal, sizeof seal, (off_t)len);
    return n == (ssize_t)sizeof seal ? 0 : n < 0 ? errno : ENOSPC;
}

bool cache_put_file(Cache *c, Hash128 key, const char *path)
{
    if (!c->dir || c->read_only || !c->scratch) return false;
    const char *name = path_base(path);
    int fd = below_open(c->scratch_fd, name, O_RDWR);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) {
        if (fd >= 0) close(fd);
        return false;
    }
    size_t len = (size_t)st.st_size;
    void *bytes = len ? mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    int error = bytes == MAP_FAILED ? errno
                                    : append_seal(c, fd, ENTRY_OBJECT, key, len ? bytes : "", len);
    if (error) say_read_only(c, path, error);
    if (c->remote && !error) remote_put(c->remote, ENTRY_OBJECT, key, len ? bytes : "", len);
    if (bytes && bytes != MAP_FAILED) munmap(bytes, len);
    bool ok = !error && moved(c, name, ENTRY_OBJECT, key);
    // Whoever keeps the file reads it without a seal.
    if (!ok && ftruncate(fd, st.st_size) != 0) error = errno;
    close(fd);
    if (!ok) return false;
    cache_touch(c, ENTRY_OBJECT, key, len, false);
    c->counts.stored++;
    return true;
}

bool cache_write_entry(Cache *c, EntryKind kind, Hash128 key, const void *bytes, size_t len)
{
    sigset_t before;
    if (!cache_scratch_begin(c, &before)) return false;
    unlinkat(c->scratch_fd, "entry", 0);
    int fd = below_open(c->scratch_fd, "entry", O_WRONLY | O_CREAT | O_EXCL);
    int error = fd < 0 ? errno : 0;
    if (!error) error = file_write_all(fd, bytes, len);
    if (!error) error = append_seal(c, fd, kind, key, bytes, len);
    if (fd >= 0 && close(fd) != 0 && !error) error = errno;
    if (error) say_read_only(c, c->scratch, error);
    bool ok = !error && moved(c, "entry", kind, key);
    if (!ok) unlinkat(c->scratch_fd, "entry", 0);
    cache_scratch_end(c, &before);
    if (ok) cache_touch(c, kind, key, len, false);
    return ok;
}

static char *read_sealed(Cache *c, int fd, EntryKind kind, Hash128 key, size_t *len)
{
    struct stat st;
    Seal seal;
    // The seal of the size first: what a stranger put there is not read, however large it is.
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof seal &&
              file_read_at(fd, &seal, sizeof seal, (uint64_t)st.st_size - sizeof seal);
    *len = ok ? (size_t)st.st_size - sizeof seal : 0;
    ok = ok && cache_sealed(c->secret, kind, key, NULL, *len, &seal);
    char *bytes = ok ? mem_alloc(*len + 1) : NULL;
    ok = ok && file_read_at(fd, bytes, *len, 0);
    if (fd >= 0) close(fd);
    if (ok && cache_sealed(c->secret, kind, key, bytes, *len, &seal)) return bytes;
    mem_free(bytes);
    return NULL;
}

char *cache_read_entry(Cache *c, EntryKind kind, Hash128 key, size_t *len)
{
    char name[33];
    int dir = cache_entry_dir(c, kind, key, false, name);
    int fd = dir >= 0 ? below_open(dir, name, O_RDONLY) : -1;
    if (dir >= 0) close(dir);
    return read_sealed(c, fd, kind, key, len);
}

char *cache_get_named(Cache *c, const char *name, size_t *len)
{
    *len = 0;
    if (!c->dir) return NULL;
    return read_sealed(c, below_open(c->fd, name, O_RDONLY), ENTRY_NAMED,
                       hash128_bytes(name, strlen(name)), len);
}

void cache_put_named(Cache *c, const char *name, const void *bytes, size_t len)
{
    if (!c->dir || c->read_only) return;
    Seal seal = cache_seal(c->secret, ENTRY_NAMED, hash128_bytes(name, strlen(name)), bytes, len);
    Chars all = {0};
    vec_append(&all, (const char *)bytes, len);
    vec_append(&all, (const char *)&seal, sizeof seal);
    int error = below_write(c->fd, name, all.at, all.len);
    if (error) say_read_only(c, c->dir, error);
    vec_free(&all);
}

void cache_put(Cache *c, Hash128 key, const void *bytes, size_t len)
{
    if (!c->dir || c->read_only) return;
    if (cache_write_entry(c, ENTRY_OBJECT, key, bytes, len)) c->counts.stored++;
}

char *cache_get(Cache *c, Hash128 key, size_t *len)
{
    *len = 0;
    if (!c->dir) return NULL;
    char *bytes = cache_read_entry(c, ENTRY_OBJECT, key, len);
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
    if (c->dir) cache_remove_entry(c, ENTRY_OBJECT, key);
}

bool cache_share(Cache *c, const char *url, const char **why)
{
    c->remote = remote_new(url, why);
    return c->remote != NULL;
}

bool cache_claim(Cache *c, Hash128 key, uint32_t ms)
{
    return !c->remote || remote_claim(c->remote, key, ms);
}

bool cache_lasts(const Cache *c)
{
    return c->dir && c->lasting;
}

CacheCounts cache_counts(const Cache *c)
{
    CacheCounts all = c->counts;
    all.results_read = c->packs.read;
    all.results_missed = c->packs.missed;
    all.results_stored = c->packs.stored;
    all.shared = c->remote != NULL;
    if (c->remote) {
        RemoteCounts r = remote_counts(c->remote);
        all.store_read = r.read;
        all.store_missed = r.missed;
        all.store_stored = r.stored;
        all.store_elsewhere = r.elsewhere;
        all.store_refused = r.refused;
        all.store_failed = r.failed;
    }
    return all;
}
