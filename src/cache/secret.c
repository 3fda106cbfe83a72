// The secret under which entries are sealed.
//
// A cache lies in the project's tree, where whoever wrote the repository can put files. An entry
// is believed only if it carries a seal that needs this user's secret, which lies outside of the
// tree: $XDG_STATE_HOME/stanch/secret or ~/.local/state/stanch/secret. The seal covers the key, so
// that a genuine entry does not answer under another name.
#include "base/below.h"
#include "base/file.h"
#include "base/siphash.h"
#include "cache/cache_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    unsigned char kind;
    Hash128 key;
} __attribute__((packed)) Subject;

static Hash128 subkey(Hash128 secret, EntryKind kind, Hash128 key)
{
    Subject s = {(unsigned char)kind, key};
    return siphash(secret, &s, sizeof s);
}

static Hash128 seal_of_size(Hash128 sub, size_t len)
{
    struct {
        char what[8];
        uint64_t len;
    } text = {"size", len};
    return siphash(sub, &text, sizeof text);
}

Seal cache_seal(Hash128 secret, EntryKind kind, Hash128 key, const void *bytes, size_t len)
{
    Hash128 sub = subkey(secret, kind, key);
    return (Seal){siphash(sub, bytes, len), seal_of_size(sub, len)};
}

static bool same(Hash128 a, Hash128 b)
{
    return ((a.high ^ b.high) | (a.low ^ b.low)) == 0;
}

bool cache_sealed(Hash128 secret, EntryKind kind, Hash128 key, const void *bytes, size_t len,
                  const Seal *seal)
{
    Hash128 sub = subkey(secret, kind, key);
    if (!bytes) return same(seal->size, seal_of_size(sub, len));
    return same(seal->content, siphash(sub, bytes, len));
}

// ---- where the secret is ----

static bool random_secret(Hash128 *secret)
{
    return getrandom(secret, sizeof *secret, 0) == (ssize_t)sizeof *secret;
}

// A file that only we can have written and only we can read.
static bool read_secret(int dir, Hash128 *secret)
{
    int fd = below_open(dir, "secret", O_RDONLY);
    if (fd < 0) return false;
    struct stat st;
    bool ok = fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 077) &&
              st.st_nlink == 1 && st.st_size == (off_t)sizeof *secret &&
              read(fd, secret, sizeof *secret) == (ssize_t)sizeof *secret;
    close(fd);
    return ok;
}

// Two first runs at once: the second finds the first one's.
static void make_secret(int dir)
{
    Hash128 fresh;
    char *beside = mem_printf("secret.%ld", (long)getpid());
    unlinkat(dir, beside, 0);
    int fd = openat(dir, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && fchmod(fd, 0600) == 0 && random_secret(&fresh) &&
              write(fd, &fresh, sizeof fresh) == (ssize_t)sizeof fresh;
    if (fd >= 0 && close(fd) != 0) ok = false;
    // A link, not a rename: it does not replace what is there.
    if (ok && linkat(dir, beside, dir, "secret", 0) == 0) errno = 0;
    if (fd >= 0) unlinkat(dir, beside, 0);
    mem_free(beside);
}

static bool is_within(const char *root, const char *path)
{
    char *real_root = root ? realpath(root, NULL) : NULL, *real = realpath(path, NULL);
    size_t n = real_root ? strlen(real_root) : 0;
    bool within = n && (!real || (strncmp(real, real_root, n) == 0 &&
                                  (n == 1 || real[n] == '/' || !real[n])));
    free(real_root);
    free(real);
    return within;
}

static const char *state_dir(Arena *a)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/') return arena_printf(a, "%s/stanch", state);
    if (home && home[0] == '/') return arena_printf(a, "%s/.local/state/stanch", home);
    return NULL;
}

Hash128 cache_secret(const char *root, bool *lasting, const char **why)
{
    Arena *a = arena_new("secret");
    Hash128 secret = {0};
    const char *path = state_dir(a);
    int error = path ? file_make_dirs(path) : 0;
    struct stat st;
    *lasting = false;
    *why = NULL;
    if (!path)
        *why = "neither XDG_STATE_HOME nor HOME is set";
    else if (error)
        *why = "the directory for its secret cannot be made";
    else if (is_within(root, path))
        *why = "the directory for its secret lies within the project";
    else if (stat(path, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 022))
        *why = "others can write to the directory of its secret";
    int dir = *why ? -1 : below_trust(path);
    if (dir >= 0 && !read_secret(dir, &secret)) {
        make_secret(dir);
        if (!read_secret(dir, &secret)) *why = "its secret cannot be written, or is not private";
    }
    if (dir >= 0) close(dir);
    if (!*why) *lasting = true;
    if (*why && !random_secret(&secret)) die("the system has no random numbers");
    arena_free(a);
    return secret;
}
