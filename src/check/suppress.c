// Suppressions: comments in the source and lines of --suppress files.
//
//     // stanch: ignore[leak] kept until the process ends
//     /* stanch: ignore[leak,resource-leak] closed by the plugin */
//     leak   src/legacy/*.c   parse_*   goes away with the old parser
//
// A comment counts for its own line, or, when it stands alone, for the next line with code; it
// matches a finding that allocates or loses there. A reason is asked for, and a suppression that
// matches nothing is told, so that they do not outlive what they were written for.
#include "base/file.h"
#include "check/check_int.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

enum { ALL_RULES = (1u << RULE_COUNT) - 1 };

typedef struct {
    uint32_t rules;       // bit for each
    const char *path;     // comments: the file; lines: the glob
    const char *function; // lines: the glob
    uint32_t covers;      // comments: the line it speaks of
    const char *reason;   // "" when there is none
    const char *file;     // where it is, as shown
    const char *where;    // the same as an absolute path
    uint32_t line, col;
    const char *text; // its source line
    bool used, comment;
} Suppression;

typedef struct {
    Arena *arena;
    VEC(Suppression) all;
    const char *root;
    Diag *diag;
} Suppressing;

static char *trimmed(Arena *a, const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    return arena_strndup(a, s, n);
}

static void no_rule(Suppressing *job, const Suppression *at, const char *word, size_t len)
{
    diag_warn_at(job->diag, at->file, at->line, at->col, at->text,
                 "there is no rule '%.*s'; this suppression is not used", (int)len, word);
}

// "leak,resource-leak" or "*". 0 after a message.
static uint32_t rule_set(Suppressing *job, const Suppression *at, const char *s, size_t n)
{
    uint32_t set = 0;
    while (n) {
        const char *comma = memchr(s, ',', n);
        size_t part = comma ? (size_t)(comma - s) : n;
        const char *word = trimmed(job->arena, s, part);
        Rule rule;
        if (strcmp(word, "*") == 0) {
            set |= ALL_RULES;
        } else if (rule_find(word, strlen(word), &rule)) {
            set |= 1u << rule;
        } else {
            no_rule(job, at, word, strlen(word));
            return 0;
        }
        s += part + (comma != NULL);
        n -= part + (comma != NULL);
    }
    return set;
}

// Where the comment that holds offset `at` begins on its line, or null: in a string, in code.
// Lines inside a longer block comment begin with '*' by custom and are accepted.
static const char *comment_start(const char *line, const char *at)
{
    const char *p = line;
    while (p < at && isspace((unsigned char)*p)) p++;
    if (p < at && *p == '*') return p;
    for (char quote = 0; p < at; p++) {
        if (quote) {
            if (*p == '\\')
                p++;
            else if (*p == quote)
                quote = 0;
        } else if (*p == '"' || *p == '\'') {
            quote = *p;
        } else if (*p == '/' && p + 1 < at && (p[1] == '/' || p[1] == '*')) {
            const char *end = p[1] == '*' ? memmem(p + 2, (size_t)(at - p - 2), "*/", 2) : NULL;
            if (!end) return p;
            p = end + 1;
        }
    }
    return NULL;
}

// Nothing but white space and a comment.
static bool only_comment(const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s)) s++, n--;
    return n == 0 || *s == '*' || (n > 1 && s[0] == '/' && (s[1] == '/' || s[1] == '*'));
}

static uint32_t line_of(const Source *src, size_t offset)
{
    uint32_t low = 0, high = src->lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (src->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

static void read_comment(Suppressing *job, const Source *src, const char *mark, size_t mark_len)
{
    uint32_t line = line_of(src, (size_t)(mark - src->text));
    size_t n;
    const char *text = source_line(src, line, &n), *end = text + n;
    const char *start = comment_start(text, mark);
    if (!start) return;
    for (const char *p = start; p < mark; p++) // "// see stanch: ignore" is prose
        if (!strchr("/*! \t", *p)) return;
    const char *p = mark + mark_len;
    while (p < end && isblank((unsigned char)*p)) p++;
    if ((size_t)(end - p) < 6 || memcmp(p, "ignore", 6) != 0) return;
    p += 6;
    if (p < end && (isalnum((unsigned char)*p) || *p == '-' || *p == '_')) return;

    Suppression s = {.comment = true, .rules = ALL_RULES, .path = src->path, .line = line};
    s.where = src->path;
    s.file = path_below(job->root, src->path);
    s.col = (uint32_t)(start - text) + 1;
    s.text = src->hidden ? NULL : arena_strndup(job->arena, text, n);
    if (p < end && *p == '[') {
        const char *close = memchr(p, ']', (size_t)(end - p));
        if (!close) {
            diag_warn_at(job->diag, s.file, line, s.col, s.text,
                         "this suppression lacks its ']' and is not used");
            return;
        }
        s.rules = rule_set(job, &s, p + 1, (size_t)(close - p - 1));
        if (!s.rules) return;
        p = close + 1;
    }
    const char *stop = memmem(p, (size_t)(end - p), "*/", 2);
    s.reason = trimmed(job->arena, p, (size_t)((stop ? stop : end) - p));
    s.covers = line;
    if (only_comment(text, (size_t)(start - text))) {
        const char *next;
        do next = source_line(src, ++s.covers, &n);
        while (next && only_comment(next, n));
        // A block comment may be followed by code on its own line.
        if (stop && !only_comment(stop + 2, (size_t)(end - stop - 2))) s.covers = line;
    }
    vec_push(&job->all, s);
}

static void read_comments(Suppressing *job, const Source *src)
{
    static const char mark[] = "stanch:";
    const char *p = src->text, *end = src->text + src->len;
    while ((p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1))) {
        read_comment(job, src, p, sizeof mark - 1);
        p += sizeof mark - 1;
    }
}

// The next word of a line; in double quotes it may hold blanks. Null at the line's end.
static const char *next_word(Arena *a, const char **p)
{
    const char *s = *p;
    while (isblank((unsigned char)*s)) s++;
    if (!*s) return NULL;
    const char *end;
    if (*s == '"' && (end = strchr(s + 1, '"'))) {
        *p = end + 1;
        return arena_strndup(a, s + 1, (size_t)(end - s - 1));
    }
    size_t n = strcspn(s, " \t");
    *p = s + n;
    return arena_strndup(a, s, n);
}

static void read_line(Suppressing *job, const char *path, uint32_t number, const char *line)
{
    const char *p = line;
    Suppression s = {.line = number, .col = 1, .text = line, .where = path};
    s.file = path_below(job->root, path);
    const char *rules = next_word(job->arena, &p);
    if (!rules || *rules == '#') return;
    s.path = next_word(job->arena, &p);
    s.function = next_word(job->arena, &p);
    if (!s.path || !s.function) {
        diag_error_at(job->diag, s.file, number, 1, line,
                      "a suppression is: rule, path glob, function glob, reason");
        return;
    }
    s.rules = rule_set(job, &s, rules, strlen(rules));
    if (!s.rules) return;
    s.reason = trimmed(job->arena, p, strlen(p));
    vec_push(&job->all, s);
}

static bool read_file(Suppressing *job, const char *path)
{
    size_t len;
    const char *whole = path_join(job->arena, job->root, path);
    char *text = file_read(whole, 64 << 20, &len);
    if (!text) {
        diag_error(job->diag, "cannot read the suppressions in '%s': %s", path, strerror(errno));
        return false;
    }
    uint32_t number = 0;
    for (char *line = text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        size_t n = strlen(line);
        if (n && line[n - 1] == '\r') n--;
        read_line(job, whole, ++number, arena_strndup(job->arena, line, n));
    }
    mem_free(text);
    return true;
}

static bool at_line(const Suppression *s, Pos p)
{
    return pos_known(p) && p.line == s->covers && strcmp(p.path, s->path) == 0;
}

static bool glob_path(Suppressing *job, const Suppression *s, Pos p)
{
    return pos_known(p) && fnmatch(s->path, path_below(job->root, p.path), 0) == 0;
}

static bool matches(Suppressing *job, const Suppression *s, const Finding *f)
{
    if (!(s->rules >> f->rule & 1)) return false;
    if (s->comment) return at_line(s, f->alloc) || at_line(s, f->lost);
    return (glob_path(job, s, f->alloc) || glob_path(job, s, f->lost)) &&
           fnmatch(s->function, f->function, 0) == 0;
}

static void apply(Suppressing *job, Findings *fs)
{
    vec_each (i, &fs->all) {
        Finding *f = fs->all.at[i];
        vec_each (k, &job->all) {
            Suppression *s = &job->all.at[k];
            if (!matches(job, s, f)) continue;
            s->used = true; // all that match, so that none of two is called useless
            if (f->state == FINDING_SUPPRESSED) continue;
            f->state = FINDING_SUPPRESSED;
            f->suppressed_by = arena_strdup(fs->arena, s->reason);
        }
    }
}

static bool unit_failed(const Findings *fs, const Suppression *s)
{
    vec_each (i, &fs->run.failed)
        if (strcmp(fs->run.failed.at[i].path, s->where) == 0) return true;
    return false;
}

static void complain(Suppressing *job, const Findings *fs, uint32_t rules_off)
{
    vec_each (i, &job->all) {
        const Suppression *s = &job->all.at[i];
        if (!*s->reason)
            diag_warn_at(job->diag, s->file, s->line, s->col, s->text,
                         "this suppression gives no reason");
        // What was not analysed, or not asked for, could not match.
        bool asked = s->rules & ~rules_off;
        if (!s->used && asked && !unit_failed(fs, s))
            diag_warn_at(job->diag, s->file, s->line, s->col, s->text,
                         "this suppression matches nothing");
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool check_suppress(Findings *fs, const CheckOptions *o, Sources *sources, Diag *d)
{
    Suppressing job = {.arena = arena_new("suppressions"), .root = o->root ? o->root : "/", .diag = d};
    VEC(const char *) files = {0};
    vec_each (i, &fs->run.sources) vec_push(&files, fs->run.sources.at[i]);
    vec_each (i, &fs->all) {
        const Finding *f = fs->all.at[i];
        if (pos_known(f->alloc)) vec_push(&files, f->alloc.path);
        if (pos_known(f->lost)) vec_push(&files, f->lost.path);
    }
    if (files.len) qsort(files.at, files.len, sizeof *files.at, by_text);
    vec_each (i, &files)
        if (i == 0 || strcmp(files.at[i - 1], files.at[i]) != 0)
            read_comments(&job, source_of(sources, files.at[i]));
    bool ok = true;
    vec_each (i, &o->suppress_files) ok &= read_file(&job, o->suppress_files.at[i]);
    apply(&job, fs);
    if (ok) complain(&job, fs, o->rules_off);
    vec_free(&files);
    vec_free(&job.all);
    arena_free(job.arena);
    return ok;
}
