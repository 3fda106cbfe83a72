// Dependency files: "unit: a.c b.h \<newline> c.h" with clang's escapes: "\ " and "\#" for a space
// and a hash, "$$" for a dollar, "\\" only before a space.
#include "base/file.h"
#include "base/name.h"
#include "capture/capture_int.h"

enum { DEPS_BYTES = 64 << 20 };

static void add(Arena *a, const char *directory, Names *seen, const Chars *word, Words *out)
{
    if (!word->len) return;
    const char *path = path_join(a, directory, arena_strndup(a, word->at, word->len));
    if (name_find(seen, path).id) return;
    name_of(seen, path);
    vec_push(out, path);
}

bool capture_read_deps(Arena *a, const char *deps, const char *directory, CaptureDeps *out)
{
    *out = (CaptureDeps){0};
    size_t len;
    char *text = file_read(deps, DEPS_BYTES, &len);
    if (!text) return false;
    // Our own target has no colon in it; a path may have one.
    size_t i = strcspn(text, ":");
    if (i < len) i++;
    Names *seen = names_new();
    Words paths = {0};
    Chars word = {0};
    for (; i < len; i++) {
        char c = text[i];
        if (c == '\\' && i + 1 < len && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
            i += text[i + 1] == '\r' && i + 2 < len && text[i + 2] == '\n' ? 2 : 1;
            c = ' ';
        } else if (c == '\\' && i + 1 < len && (text[i + 1] == ' ' || text[i + 1] == '#')) {
            vec_push(&word, text[++i]);
            continue;
        } else if (c == '\\' && i + 2 < len && text[i + 1] == '\\' && text[i + 2] == ' ') {
            // make halves backslashes before a space.
            i++;
        } else if (c == '$' && i + 1 < len && text[i + 1] == '$') {
            i++;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            add(a, directory, seen, &word, &paths);
            vec_clear(&word);
            if (c == '\n') break;
        } else {
            vec_push(&word, c);
        }
    }
    add(a, directory, seen, &word, &paths);
    vec_free(&word);
    names_free(seen);
    mem_free(text);
    vec_keep(&paths, a);
    out->paths = paths.at;
    out->count = paths.len;
    return true;
}
