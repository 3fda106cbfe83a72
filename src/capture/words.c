// Text to words, and response files.
#include "base/file.h"
#include "capture/capture_int.h"

#include <stdlib.h>
#include <sys/stat.h>

// A response file of a large link lists some ten thousand objects: a few MiB.
enum { RESPONSE_BYTES = 16 << 20, RESPONSE_DEPTH = 8, RESPONSE_FILES = 256, WORDS_MAX = 1 << 20 };

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool words_split(Arena *a, const char *text, size_t len, Quoting quoting, Words *out)
{
    Chars word = {0};
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (!c) c = ' ';
        if (quote) {
            if (c == quote) {
                quote = 0;
                continue;
            }
            bool escapes = quoting == QUOTE_RESPONSE ||
                           (quote == '"' && i + 1 < len && strchr("\"\\$`\n", text[i + 1]));
            if (c == '\\' && escapes && i + 1 < len) {
                c = text[++i];
                if (c == '\n' && quoting == QUOTE_SHELL) continue;
            }
            vec_push(&word, c);
        } else if (is_space(c)) {
            if (in_word) vec_push(out, arena_strndup(a, word.at, word.len));
            vec_clear(&word);
            in_word = false;
        } else {
            in_word = true;
            if (c == '\'' || c == '"') {
                quote = c;
                continue;
            }
            if (c == '\\' && i + 1 < len) {
                c = text[++i];
                if (c == '\n') continue;
            }
            vec_push(&word, c);
        }
        if (out->len > WORDS_MAX) break;
    }
    if (in_word) vec_push(out, word.len ? arena_strndup(a, word.at, word.len) : "");
    vec_free(&word);
    return !quote;
}

static bool is_below(const char *real, const char *dir)
{
    if (!dir) return false;
    char *real_dir = realpath(dir, NULL);
    if (!real_dir) return false;
    size_t n = strlen(real_dir);
    // The root directory is nobody's build tree.
    bool below = n > 1 && strncmp(real, real_dir, n) == 0 && real[n] == '/';
    free(real_dir);
    return below;
}

static char *read_response(Arena *a, const char *directory, const char *root, const char *path,
                           size_t *len)
{
    char *real = realpath(path_join(a, directory, path), NULL);
    char *text = NULL;
    struct stat st;
    if (real && (is_below(real, directory) || is_below(real, root)) && stat(real, &st) == 0 &&
        S_ISREG(st.st_mode))
        text = file_read(real, RESPONSE_BYTES, len);
    free(real);
    return text;
}

static uint32_t expand(Arena *a, const char *directory, const char *root, const Words *words,
                       uint32_t depth, uint32_t *files, Words *out)
{
    uint32_t dropped = 0;
    vec_each (i, words) {
        const char *w = words->at[i];
        if (w[0] != '@' || !w[1]) {
            if (out->len < WORDS_MAX) vec_push(out, w);
            continue;
        }
        size_t len = 0;
        char *text = NULL;
        // Files that name themselves: depth alone would allow exponential work.
        if (depth < RESPONSE_DEPTH && ++*files <= RESPONSE_FILES)
            text = read_response(a, directory, root, w + 1, &len);
        if (!text) {
            dropped++;
            continue;
        }
        Words inner = {0};
        words_split(a, text, len, QUOTE_RESPONSE, &inner);
        mem_free(text);
        dropped += expand(a, directory, root, &inner, depth + 1, files, out);
        vec_free(&inner);
    }
    return dropped;
}

uint32_t words_expand(Arena *a, const char *directory, const char *root, Words *words)
{
    bool any = false;
    vec_each (i, words) any |= words->at[i][0] == '@' && words->at[i][1];
    if (!any) return 0;
    Words out = {0};
    uint32_t files = 0;
    uint32_t dropped = expand(a, directory, root, words, 0, &files, &out);
    vec_free(words);
    *words = out;
    return dropped;
}
