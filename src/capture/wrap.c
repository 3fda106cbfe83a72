// The shim: what runs in a compiler's place while a build is observed. It notes the call in a log
// and becomes the real tool; the build sees the tool's own output, files and exit status.
//
// The real tool is the next of that name in PATH that is not stanch. Directories of shims are
// taken out of its PATH, so that a compiler which starts ld or itself is seen once. A tool that
// is a script (c99 is one) keeps them: the compiler it starts is the better witness of the flags,
// and its record replaces the script's.
//
// Shims outlive the observation: CMake and Meson write down the path of the compiler they found.
// Without STANCH_CAPTURE_DIR in the environment a shim only becomes the real tool.
#include "base/file.h"
#include "capture/capture_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- records ----
//
// "record BYTES\n", then id, parent, directory, the environment values ("=VALUE", or empty when
// not set) and argv, each with a zero behind it, BYTES in all.

static void put(Chars *c, const char *s)
{
    vec_append(c, s, strlen(s) + 1);
}

bool record_write(const char *log, const Record *r)
{
    Chars body = {0};
    put(&body, r->id);
    put(&body, r->parent);
    put(&body, r->directory);
    for (int i = 0; i < CAPTURE_ENV_COUNT; i++) {
        if (r->env[i]) vec_push(&body, '=');
        put(&body, r->env[i] ? r->env[i] : "");
    }
    vec_each (i, &r->argv) put(&body, r->argv.at[i]);
    char head[40];
    int n = snprintf(head, sizeof head, "record %u\n", body.len);
    Chars all = {0};
    vec_append(&all, head, (size_t)n);
    vec_append(&all, body.at, body.len);
    vec_free(&body);
    int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && flock(fd, LOCK_EX) == 0;
    off_t start = ok ? lseek(fd, 0, SEEK_END) : 0;
    for (size_t at = 0; ok && at < all.len;) {
        ssize_t w = write(fd, all.at + at, all.len - at);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) {
            // A full disk: no half record for the next to follow.
            ok = false;
            if (ftruncate(fd, start) != 0) break;
        } else {
            at += (size_t)w;
        }
    }
    if (fd >= 0) close(fd);
    vec_free(&all);
    return ok;
}

bool records_read(Arena *a, const char *text, size_t len, Records *out)
{
    const char *at = text, *end = text + len;
    while (at < end) {
        char *digits_end;
        if (end - at < 9 || strncmp(at, "record ", 7) != 0) return false;
        unsigned long bytes = strtoul(at + 7, &digits_end, 10);
        if (*digits_end != '\n' || bytes > (size_t)(end - digits_end - 1)) return false;
        const char *s = digits_end + 1, *stop = s + bytes;
        if (!bytes || stop[-1]) return false;
        Record r = {0};
        for (uint32_t field = 0; s < stop; field++) {
            const char *word = arena_strdup(a, s);
            s += strlen(s) + 1;
            if (field == 0)
                r.id = word;
            else if (field == 1)
                r.parent = word;
            else if (field == 2)
                r.directory = word;
            else if (field < 3 + CAPTURE_ENV_COUNT)
                r.env[field - 3] = word[0] == '=' ? word + 1 : NULL;
            else
                vec_push(&r.argv, word);
        }
        vec_keep(&r.argv, a);
        if (!r.argv.len) return false;
        vec_push(out, r);
        at = stop;
    }
    return true;
}

// ---- the shim ----

bool capture_is_shim(const char *argv0)
{
    return argv0 && tool_kind(argv0) != TOOL_NONE;
}

static bool is_shim_dir(Arena *a, const char *dir, size_t n)
{
    return n && file_exists(arena_printf(a, "%.*s/" SHIM_MARK, (int)n, dir));
}

static bool is_self(const char *path)
{
    struct stat self, other;
    return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 &&
           self.st_dev == other.st_dev && self.st_ino == other.st_ino;
}

static bool is_in_list(const char *list, const char *path)
{
    size_t n = strlen(path);
    for (const char *s = list; s && *s;) {
        size_t m = strcspn(s, ":");
        if (m == n && strncmp(s, path, n) == 0) return true;
        s += m + (s[m] == ':');
    }
    return false;
}

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

// Null when there is none.
static const char *find_real(Arena *a, const char *argv0)
{
    const char *seen = getenv(SHIM_ENV_SEEN), *path = getenv("PATH");
    if (strchr(argv0, '/')) {
        size_t len;
        char *text = file_read(arena_printf(a, "%s/" SHIM_REAL, path_dir(a, argv0)), 4096, &len);
        const char *real = text ? arena_strdup(a, text) : NULL;
        mem_free(text);
        if (real) return is_program(real) && !is_self(real) ? real : NULL;
    }
    const char *name = path_base(argv0);
    for (const char *s = path ? path : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        const char *at = n ? arena_printf(a, "%.*s/%s", (int)n, s, name) : name;
        if (is_program(at) && !is_self(at) && !is_shim_dir(a, s, n) && !is_in_list(seen, at))
            return at;
        s += n + (s[n] == ':');
    }
    return NULL;
}

static const char *first_in_path(Arena *a, const char *name)
{
    const char *path = getenv("PATH");
    for (const char *s = path ? path : ""; *s;) {
        size_t n = strcspn(s, ":");
        const char *at = n ? arena_printf(a, "%.*s/%s", (int)n, s, name) : name;
        if (is_program(at)) return at;
        s += n + (s[n] == ':');
    }
    return NULL;
}

static bool is_script(const char *path)
{
    char magic[2] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, magic, 2);
    close(fd);
    return n == 2 && magic[0] == '#' && magic[1] == '!';
}

static void strip_path(Arena *a)
{
    const char *path = getenv("PATH");
    Chars kept = {0};
    for (const char *s = path ? path : ""; *s;) {
        size_t n = strcspn(s, ":");
        if (!is_shim_dir(a, s, n)) {
            if (kept.len) vec_push(&kept, ':');
            vec_append(&kept, s, n);
        }
        s += n + (s[n] == ':');
    }
    vec_push(&kept, 0);
    if (path) setenv("PATH", kept.at, 1);
    vec_free(&kept);
}

int capture_shim_main(int argc, char **argv)
{
    Arena *a = arena_new("shim");
    const char *real = find_real(a, argv[0]);
    if (!real) {
        // What a shell would say and return.
        fprintf(stderr, "%s: command not found (looked for by stanch)\n", path_base(argv[0]));
        arena_free(a);
        return 127;
    }
    const char *dir = getenv(SHIM_ENV_DIR), *parent = getenv(SHIM_ENV_PARENT);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    Record r = {.parent = parent ? parent : "", .directory = path_cwd(a)};
    r.id = arena_printf(a, "%ld.%lld.%ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
    if (dir) {
        for (int i = 0; i < CAPTURE_ENV_COUNT; i++) r.env[i] = getenv(capture_env_names[i]);
        vec_push(&r.argv, real);
        for (int i = 1; i < argc; i++) vec_push(&r.argv, argv[i]);
        // Now, not later: build tools delete their response files.
        words_expand(a, r.directory, getenv(SHIM_ENV_ROOT), &r.argv);
        if (!record_write(arena_printf(a, "%s/" SHIM_LOG, dir), &r))
            fprintf(stderr, "stanch: a call of %s could not be noted: %s\n", path_base(real),
                    strerror(errno));
        vec_free(&r.argv);
    }
    if (is_script(real)) {
        const char *seen = getenv(SHIM_ENV_SEEN);
        setenv(SHIM_ENV_SEEN, seen ? arena_printf(a, "%s:%s", seen, real) : real, 1);
        if (dir) setenv(SHIM_ENV_PARENT, r.id, 1);
    } else {
        strip_path(a);
    }
    // A compiler finds its parts from its own place: by argv[0], else by the first of its name in
    // PATH, which must then be the one.
    const char *first = first_in_path(a, path_base(argv[0]));
    if (strchr(argv[0], '/') || !first || strcmp(first, real) != 0) argv[0] = arena_strdup(a, real);
    execv(real, argv);
    fprintf(stderr, "%s: %s\n", real, strerror(errno));
    arena_free(a);
    return 126;
}
