// Fingerprints: the identity of a defect over edits.
//
// Hashed are the rule, the function's name, the text of the allocation's line and of the loss's
// line (comments and white space taken out), and a number among equals counted in order of
// position. Neither line numbers nor paths go in, so code may move within its file and files may
// move. Among equals (the same two lines twice in one function, or a static function copied to
// another file) removing one renumbers the rest: the number of known findings stays right, only
// which of the twins is called fixed may be wrong.
#include "base/hash.h"
#include "check/check_int.h"

#include <ctype.h>
#include <stdlib.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

// The line's tokens with single spaces only where two words would run together.
static void add_line(Chars *key, Sources *sources, Pos p)
{
    size_t n = 0;
    const char *s = pos_known(p) ? source_line(source_of(sources, p.path), p.line, &n) : NULL;
    char quote = 0;
    for (size_t i = 0; s && i < n; i++) {
        char c = s[i];
        if (quote) {
            if (c == '\\' && i + 1 < n) {
                vec_push(key, c);
                c = s[++i];
            } else if (c == quote) {
                quote = 0;
            }
        } else if (c == '/' && i + 1 < n && s[i + 1] == '/') {
            break;
        } else if (c == '/' && i + 1 < n && s[i + 1] == '*') {
            const char *end = memmem(s + i + 2, n - i - 2, "*/", 2);
            if (!end) break;
            i = (size_t)(end - s) + 1;
            continue;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (isspace((unsigned char)c)) {
            bool apart = key->len && in_word(vec_last(key)) && i + 1 < n && in_word(s[i + 1]);
            if (!apart) continue;
            c = ' ';
        }
        vec_push(key, c);
    }
    vec_push(key, '\n');
}

static void add_text(Chars *key, const char *s)
{
    if (s) vec_append(key, s, strlen(s));
    vec_push(key, '\n');
}

typedef struct {
    Hash128 hash;
    uint32_t finding;
} Keyed;

static int by_hash(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    int order = hash128_order(x->hash, y->hash);
    if (order) return order;
    return x->finding < y->finding ? -1 : x->finding > y->finding;
}

static int by_place(const void *a, const void *b)
{
    const Finding *f = *(Finding *const *)a, *g = *(Finding *const *)b;
    int c = pos_compare(finding_place(f), finding_place(g));
    return c ? c : finding_compare(f, g);
}

void check_fingerprint(Findings *fs, Sources *sources)
{
    if (!fs->all.len) return;
    qsort(fs->all.at, fs->all.len, sizeof *fs->all.at, by_place);
    VEC(Keyed) keyed = {0};
    Chars key = {0};
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        vec_clear(&key);
        add_text(&key, rule_info(f->rule)->word);
        add_text(&key, f->function);
        add_line(&key, sources, f->alloc);
        add_line(&key, sources, f->lost);
        // Without sources the names must do.
        if (key.len && pos_known(f->lost) && source_of(sources, f->lost.path)->error) {
            add_text(&key, f->allocator);
            add_text(&key, f->variable);
        }
        Keyed k = {hash128_bytes(key.at, key.len), i};
        vec_push(&keyed, k);
    }
    qsort(keyed.at, keyed.len, sizeof *keyed.at, by_hash);
    uint64_t twin = 0;
    vec_each (i, &keyed) {
        Hash128 h = keyed.at[i].hash;
        bool again = i && hash128_same(keyed.at[i - 1].hash, h);
        twin = again ? twin + 1 : 0;
        uint64_t words[3] = {h.high, h.low, twin};
        hash128_text(hash128_bytes(words, sizeof words),
                     fs->all.at[keyed.at[i].finding]->fingerprint);
    }
    vec_free(&key);
    vec_free(&keyed);
}
