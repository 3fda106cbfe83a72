// The directories of shims: one symbolic link to stanch for each compiler, archiver and linker that
// PATH holds, and no other name, so that a configure script finds what it would find without us.
#include "base/file.h"
#include "base/hash.h"
#include "capture/capture_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void find_tools(Arena *a, bool preloaded, Words *out)
{
    const char *path = getenv("PATH");
    for (const char *s = path ? path : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        const char *dir = arena_strndup(a, s, n);
        s += n + (s[n] == ':');
        if (!n || file_exists(arena_printf(a, "%s/" SHIM_MARK, dir))) continue;
        DIR *d = opendir(dir);
        if (!d) continue;
        for (struct dirent *e; (e = readdir(d));) {
            if (tool_kind(e->d_name) == TOOL_NONE) continue;
            const char *tool = arena_printf(a, "%s/%s", dir, e->d_name);
            if (access(tool, X_OK) == 0 && !(preloaded && elf_fit(tool) == ELF_TAKES))
                vec_push(out, arena_strdup(a, e->d_name));
        }
        closedir(d);
    }
    if (!out->len) return;
    qsort(out->at, out->len, sizeof *out->at, compare_texts);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < out->len; i++)
        if (strcmp(out->at[i], out->at[kept - 1]) != 0) out->at[kept++] = out->at[i];
    out->len = kept;
}

// A directory that is ours alone, or null: another user must not be able to put tools there.
static const char *private_dir(const char *path)
{
    struct stat st;
    if (file_make_dirs(path) != 0 || lstat(path, &st) != 0) return NULL;
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid()) return NULL;
    if ((st.st_mode & 022) && chmod(path, 0700) != 0) return NULL;
    return access(path, W_OK | X_OK) == 0 ? path : NULL;
}

static const char *base_dir(Arena *a)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *tmp = getenv("TMPDIR");
    const char *dir = NULL;
    // A blank in the path would not survive CC="PATH -flags".
    if (cache && cache[0] == '/' && !strpbrk(cache, " \t:"))
        dir = private_dir(arena_printf(a, "%s/stanch", cache));
    if (!dir && home && home[0] == '/' && home[1] && !strpbrk(home, " \t:"))
        dir = private_dir(arena_printf(a, "%s/.cache/stanch", home));
    if (!dir)
        dir = private_dir(arena_printf(a, "%s/stanch-%ld",
                                       tmp && tmp[0] == '/' && !strpbrk(tmp, " \t:") ? tmp : "/tmp",
                                       (long)geteuid()));
    return dir;
}

static bool write_file(Arena *a, const char *dir, const char *name, const char *text)
{
    const char *path = arena_printf(a, "%s/%s", dir, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    size_t n = strlen(text);
    bool ok = write(fd, text, n) == (ssize_t)n;
    close(fd);
    return ok;
}

// Two runs may do this at once: a link is made beside its name and renamed.
static bool make_link(Arena *a, const char *dir, const char *name, const char *self)
{
    const char *path = arena_printf(a, "%s/%s", dir, name);
    char target[4096];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n > 0 && (size_t)n == strlen(self) && strncmp(target, self, (size_t)n) == 0) return true;
    const char *beside = arena_printf(a, "%s/.%s.%ld", dir, name, (long)getpid());
    unlink(beside);
    if (symlink(self, beside) != 0) return false;
    if (rename(beside, path) == 0) return true;
    unlink(beside);
    return false;
}

static const char *hashed_dir(Arena *a, const char *parent, const char *prefix, const Chars *key)
{
    char text[33];
    hash128_text(hash128_bytes(key->at, key->len), text);
    return private_dir(arena_printf(a, "%s/%s-%.16s", parent, prefix, text));
}

bool shims_make(Arena *a, Diag *d, const char *self, bool preloaded, const char **made)
{
    Words tools = {0};
    find_tools(a, preloaded, &tools);
    *made = NULL;
    if (!tools.len && preloaded) {
        vec_free(&tools);
        return true;
    }
    // One directory for each set of names: a shim of a compiler that is not there any more would
    // mislead a configure script.
    Chars key = {0};
    vec_append(&key, self, strlen(self) + 1);
    vec_each (i, &tools) vec_append(&key, tools.at[i], strlen(tools.at[i]) + 1);
    const char *base = base_dir(a);
    const char *dir = base ? hashed_dir(a, base, "shims", &key) : NULL;
    vec_free(&key);
    bool ok = dir && write_file(a, dir, SHIM_MARK, "");
    vec_each (i, &tools) ok = ok && make_link(a, dir, tools.at[i], self);
    vec_free(&tools);
    *made = dir;
    if (ok) return true;
    diag_error(d,
               "no directory for compiler shims can be made in the cache or temporary directory");
    return false;
}

const char *shims_make_for(Arena *a, const char *self, bool preloaded, const char *tool)
{
    const char *real = path_join(a, path_cwd(a), tool);
    struct stat st;
    if (tool_kind(tool) == TOOL_NONE || stat(real, &st) != 0 || !S_ISREG(st.st_mode) ||
        access(real, X_OK) != 0 || (preloaded && elf_fit(real) == ELF_TAKES))
        return NULL;
    // Already a shim, of a build configured under observation.
    if (file_exists(arena_printf(a, "%s/" SHIM_MARK, path_dir(a, real)))) return NULL;
    Chars key = {0};
    vec_append(&key, self, strlen(self) + 1);
    vec_append(&key, real, strlen(real) + 1);
    const char *base = base_dir(a);
    const char *dir = base ? hashed_dir(a, base, "shim", &key) : NULL;
    vec_free(&key);
    const char *name = path_base(real);
    if (!dir || !write_file(a, dir, SHIM_MARK, "") || !write_file(a, dir, SHIM_REAL, real) ||
        !make_link(a, dir, name, self))
        return NULL;
    return arena_printf(a, "%s/%s", dir, name);
}
