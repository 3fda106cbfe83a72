#include "git.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// The largest answer that is read: a diff of a whole tree.
enum { ANSWER_BYTES = 256 << 20, WORDS_MAX = 24 };

// git in PATH, but not in a relative directory of it.
static const char *find_git(Arena *a)
{
    const char *path = getenv("PATH");
    for (const char *s = path ? path : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        if (s[0] == '/') {
            const char *at = arena_printf(a, "%.*s/git", (int)n, s);
            if (access(at, X_OK) == 0 && !file_is_dir(at)) return at;
        }
        s += n + (s[n] == ':');
    }
    return NULL;
}

// Runs git in `dir` and reads what it prints. Null when it fails; free with mem_free.
static char *ask(Arena *a, const char *dir, size_t *len, const char *const *words)
{
    const char *git = find_git(a);
    if (!git) return NULL;
    const char *argv[WORDS_MAX + 12] = {
        git,  "-C", dir,  "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
        "-c", "core.quotePath=false", "--no-pager", "--literal-pathspecs"};
    uint32_t n = 11;
    for (; *words && n < WORDS_MAX + 11; words++) argv[n++] = *words;
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid;
    bool started =
        posix_spawn(&pid, git, &actions, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    Chars text = {0};
    bool ok = started;
    for (char buffer[65536]; ok;) {
        ssize_t got = read(fds[0], buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        ok = text.len + (size_t)got <= ANSWER_BYTES;
        if (ok) vec_append(&text, buffer, (size_t)got);
    }
    close(fds[0]);
    int status = 0;
    while (started && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!ok || status != 0) {
        vec_free(&text);
        return NULL;
    }
    *len = text.len;
    vec_push(&text, 0);
    return text.at;
}

// The one line of an answer.
static const char *ask_line(Arena *a, const char *dir, const char *const *words)
{
    size_t len;
    char *text = ask(a, dir, &len, words);
    const char *line = text ? arena_strndup(a, text, strcspn(text, "\n")) : NULL;
    mem_free(text);
    return line && *line ? line : NULL;
}

// "@@ -4,2 +5,3 @@": the range on the right.
static bool read_hunk(const char *line, LineRange *out)
{
    const char *plus = strstr(line, " +");
    char *end;
    if (strncmp(line, "@@ -", 4) != 0 || !plus) return false;
    unsigned long first = strtoul(plus + 2, &end, 10), count = 1;
    if (*end == ',') count = strtoul(end + 1, &end, 10);
    if (first > UINT32_MAX / 2 || count > UINT32_MAX / 2) return false;
    *out = count ? (LineRange){(uint32_t)first, (uint32_t)(first + count - 1)}
                 : (LineRange){(uint32_t)first, (uint32_t)first + 1};
    return true;
}

static void read_lines(Arena *a, const GitDiff *g, GitChange *c)
{
    const char *const words[] = {"diff",        "-U0",           "--no-color", "--no-renames",
                                 "--no-ext-diff", "--no-textconv", g->commit,    "--",
                                 c->path,       NULL};
    size_t len;
    char *text = ask(a, g->top, &len, words);
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        LineRange range;
        if (end) *end = 0;
        if (read_hunk(line, &range)) vec_push(&c->lines, range);
        if (!end) break;
        line = end + 1;
    }
    mem_free(text);
    vec_keep(&c->lines, a);
}

// "M\0path\0D\0path\0..."
static bool read_names(Arena *a, GitDiff *g)
{
    const char *const words[] = {"diff",          "--name-status",  "-z",      "--no-renames",
                                 "--no-ext-diff", "--no-textconv", g->commit, "--", NULL};
    size_t len;
    char *text = ask(a, g->top, &len, words);
    if (!text) return false;
    for (const char *s = text, *end = text + len; s < end;) {
        char kind = *s;
        s += strlen(s) + 1;
        if (s >= end) break;
        GitChange c = {.path = path_join(a, g->top, s), .before = kind != 'A', .now = kind != 'D'};
        s += strlen(s) + 1;
        if (c.now && c.before) read_lines(a, g, &c);
        vec_push(&g->changes, c);
    }
    mem_free(text);
    return true;
}

static void read_untracked(Arena *a, GitDiff *g)
{
    const char *const words[] = {"ls-files", "--others", "--exclude-standard", "-z", NULL};
    size_t len;
    char *text = ask(a, g->top, &len, words);
    for (const char *s = text, *end = text ? text + len : text; s < end; s += strlen(s) + 1)
        vec_push(&g->changes, ((GitChange){.path = path_join(a, g->top, s), .now = true}));
    mem_free(text);
}

bool git_diff(Arena *a, Diag *d, const char *dir, const char *revision, GitDiff *out)
{
    *out = (GitDiff){0};
    if (!find_git(a)) {
        diag_error(d, "--since needs git, which is not in PATH");
        return false;
    }
    const char *const top[] = {"rev-parse", "--show-toplevel", NULL};
    out->top = ask_line(a, dir, top);
    if (!out->top) {
        diag_error(d, "--since needs a git repository; there is none at %s", dir);
        return false;
    }
    const char *const commit[] = {"rev-parse", "--verify", "--quiet", "--end-of-options",
                                  arena_printf(a, "%s^{commit}", revision), NULL};
    out->commit = ask_line(a, dir, commit);
    if (!out->commit) {
        diag_error(d, "'%s' is no revision of this repository (a shallow clone may lack it)",
                   revision);
        return false;
    }
    // What others have done there since the branch was made is no part of this change. In a shallow clone
    // the place may be missing: then the revision itself.
    const char *const fork[] = {"merge-base", out->commit, "HEAD", NULL};
    const char *base = ask_line(a, dir, fork);
    if (base) out->commit = base;
    if (!read_names(a, out)) {
        diag_error(d, "git cannot compare the working tree with '%s'", revision);
        return false;
    }
    read_untracked(a, out);
    vec_keep(&out->changes, a);
    return true;
}

char *git_show(Arena *a, const GitDiff *g, const char *path, size_t *len)
{
    const char *name = path_below(g->top, path);
    if (name == path) return NULL;
    const char *const words[] = {"cat-file", "blob", arena_printf(a, "%s:%s", g->commit, name), NULL};
    return ask(a, g->top, len, words);
}
