#include "finding/source.h"

#include "base/below.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/name.h"
#include "base/vec.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

// Sources of more than this are not shown; no compiler is given such a file by a person.
enum { SOURCE_LIMIT = 256 << 20 };

struct Sources {
    Arena *arena;
    Map index; // hash of the path, or the next free key -> place in all
    VEC(Source *) all;
    const char *root; // null: every file may be shown
    Names *allowed, *allowed_below;
};

Sources *sources_new(void)
{
    Sources *s = mem_alloc(sizeof *s);
    s->arena = arena_new("sources");
    return s;
}

void sources_free(Sources *s)
{
    if (!s) return;
    vec_each (i, &s->all)
        if (!s->all.at[i]->error) mem_free((char *)s->all.at[i]->text);
    vec_free(&s->all);
    names_free(s->allowed);
    names_free(s->allowed_below);
    map_free(&s->index);
    arena_free(s->arena);
    mem_free(s);
}

void sources_restrict(Sources *s, const char *root)
{
    s->root = arena_strdup(s->arena, root);
    s->allowed = names_new();
    s->allowed_below = names_new();
}

void sources_allow(Sources *s, const char *path)
{
    name_of(s->allowed, path);
}

void sources_allow_below(Sources *s, const char *path)
{
    name_of(s->allowed_below, path);
}

// One that may be shown only if it is below the root, or not at all.
static void load_below(Sources *s, Source *src)
{
    const char *path = path_join(s->arena, s->root, src->path), *below = path_below(s->root, path);
    int root = below_trust(s->root), dir = -1;
    const char *slash = strrchr(below, '/');
    src->hidden = !name_find(s->allowed_below, src->path).id;
    errno = EACCES;
    if (root >= 0 && below != path)
        dir = below_dir(root, slash ? path_dir(s->arena, below) : "", false);
    src->text = dir >= 0 ? below_read(dir, path_base(below), SOURCE_LIMIT, &src->len) : NULL;
    if (!src->text) src->error = errno ? errno : EACCES;
    if (dir >= 0) close(dir);
    if (root >= 0) close(root);
}

static void cut_lines(Sources *s, Source *src)
{
    U32s starts = {0};
    for (size_t at = 0; at < src->len;) {
        vec_push(&starts, (uint32_t)at);
        const char *end = memchr(src->text + at, '\n', src->len - at);
        at = end ? (size_t)(end - src->text) + 1 : src->len;
    }
    src->lines = starts.len;
    vec_push(&starts, (uint32_t)src->len);
    src->starts = arena_copy(s->arena, starts.at, starts.len * sizeof *starts.at);
    vec_free(&starts);
}

static Source *load(Sources *s, const char *name, const char *path)
{
    Source *src = arena_new_of(s->arena, Source);
    src->path = arena_strdup(s->arena, name);
    struct stat st;
    bool below = s->root && !name_find(s->allowed, path).id;
    if (below) load_below(s, src);
    // Only plain files: a path from a damaged unit must not make us wait on a pipe or a device.
    else if (stat(path, &st) != 0)
        src->error = errno;
    else if (!S_ISREG(st.st_mode))
        src->error = EINVAL;
    if (!src->error && !below) {
        src->changed_at = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
        src->text = file_read(path, SOURCE_LIMIT, &src->len);
        if (!src->text) src->error = errno ? errno : EIO;
    }
    if (src->error) {
        src->text = "";
        src->len = 0;
    }
    cut_lines(s, src);
    return src;
}

static const Source *find(Sources *s, const char *path, const char *from)
{
    for (uint64_t key = hash_bytes(path, strlen(path), 0);; key++) {
        bool fresh;
        uint64_t *place = map_at(&s->index, key, s->all.len, &fresh);
        if (fresh) {
            Source *src = load(s, path, from);
            vec_push(&s->all, src);
            return src;
        }
        if (strcmp(s->all.at[*place]->path, path) == 0) return s->all.at[*place];
    }
}

const Source *source_of(Sources *s, const char *path)
{
    return find(s, path, path);
}

void source_give(Sources *s, const char *path, const char *from)
{
    find(s, path, from);
}

const char *source_line(const Source *s, uint32_t line, size_t *len)
{
    if (line == 0 || line > s->lines) return NULL;
    const char *begin = s->text + s->starts[line - 1], *end = s->text + s->starts[line];
    while (end > begin && (end[-1] == '\n' || end[-1] == '\r')) end--;
    *len = (size_t)(end - begin);
    return begin;
}

const char *source_doubt(const Source *s, uint32_t line, int64_t compiled_at)
{
    if (s->hidden) return "the compiler did not read this file, so its text is not shown";
    if (s->error == ENOENT || s->error == ENOTDIR) return "the source file is gone";
    if (s->error) return "the source file cannot be read";
    if (line > s->lines || (compiled_at && s->changed_at > compiled_at))
        return "source changed since it was compiled";
    return NULL;
}
