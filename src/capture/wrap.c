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
#include <sys/stat.h>
#include <unistd.h>

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
    Record r = {.id = record_id(a),
                .parent = parent ? parent : "",
                .directory = path_cwd(a),
                .through = true};
    if (dir) {
        for (int i = 0; i < CAPTURE_ENV_COUNT; i++) r.env[i] = getenv(capture_env_names[i]);
        vec_push(&r.argv, real);
        for (int i = 1; i < argc; i++) vec_push(&r.argv, argv[i]);
        if (!record_call(a, dir, getenv(SHIM_ENV_ROOT), &r))
            fprintf(stderr, "stanch: a call of %s could not be noted: %s\n", path_base(real),
                    strerror(errno));
        vec_free(&r.argv);
    }
    if (dir) setenv(SHIM_ENV_PARENT, r.id, 1);
    if (record_is_script(real)) {
        const char *seen = getenv(SHIM_ENV_SEEN);
        setenv(SHIM_ENV_SEEN, seen ? arena_printf(a, "%s:%s", seen, real) : real, 1);
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
