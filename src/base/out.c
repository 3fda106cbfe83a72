#include "base/out.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_AT = 1 << 16 };

struct Out {
    Chars buffer;
    int fd; // -1 for memory
    int error;
    char *path, *beside; // plain files only
    bool owned;          // fd is ours to close
    bool guarded;
};

static Out *out_new(int fd)
{
    Out *o = mem_alloc(sizeof *o);
    o->fd = fd;
    return o;
}

Out *out_memory(void)
{
    return out_new(-1);
}

Out *out_fd(int fd)
{
    return out_new(fd);
}

static Out *out_beside(const char *path)
{
    char *beside = mem_printf("%s.XXXXXX", path);
    int fd = mkostemp(beside, O_CLOEXEC);
    if (fd < 0) {
        int saved = errno;
        mem_free(beside);
        errno = saved;
        return NULL;
    }
    Out *o = out_new(fd);
    o->path = mem_strdup(path);
    o->beside = beside;
    o->owned = true;
    return o;
}

Out *out_file(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return out_beside(path);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (fd < 0) return NULL;
        Out *o = out_new(fd);
        o->owned = true;
        return o;
    }
    char *real = realpath(path, NULL);
    Out *o = real ? out_beside(real) : NULL;
    int saved = errno;
    free(real);
    errno = saved;
    return o;
}

static void write_buffer(Out *o, const Chars *from)
{
    if (!o->error) o->error = file_write_all(o->fd, from->at, from->len);
}

static void flush(Out *o, bool last)
{
    if (!o->buffer.len) return;
    if (!o->guarded) {
        write_buffer(o, &o->buffer);
        vec_clear(&o->buffer);
        return;
    }
    // The end of the buffer may lie within a character: the rest of its line waits.
    const char *end = last ? NULL : memrchr(o->buffer.at, '\n', o->buffer.len);
    size_t now = last ? o->buffer.len : end ? (size_t)(end - o->buffer.at) + 1 : 0;
    Out *plain = out_memory();
    out_plain_lines(plain, o->buffer.at, now);
    write_buffer(o, &plain->buffer);
    vec_free(&plain->buffer);
    mem_free(plain);
    memmove(o->buffer.at, o->buffer.at + now, o->buffer.len - now);
    o->buffer.len -= (uint32_t)now;
}

void out_bytes(Out *o, const void *bytes, size_t n)
{
    if (o->error) return;
    vec_append(&o->buffer, bytes, n);
    if (o->fd >= 0 && o->buffer.len >= FLUSH_AT) flush(o, false);
}

void out_text(Out *o, const char *s)
{
    out_bytes(o, s, strlen(s));
}

void out_char(Out *o, char c)
{
    out_bytes(o, &c, 1);
}

void out_vprintf(Out *o, const char *fmt, va_list ap)
{
    char small[512];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n < 0) die("out_vprintf: bad format '%s'", fmt);
    if ((size_t)n < sizeof small) {
        out_bytes(o, small, (size_t)n);
    } else {
        char *large = mem_alloc((size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, fmt, again);
        out_bytes(o, large, (size_t)n);
        mem_free(large);
    }
    va_end(again);
}

void out_printf(Out *o, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    out_vprintf(o, fmt, ap);
    va_end(ap);
}

// Length of the well-formed UTF-8 sequence at s (at most n bytes), or 0.
static size_t utf8_length(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80) return 1;
    size_t want = s[0] >= 0xf0 && s[0] < 0xf5   ? 4
                  : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                  : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                                                : 0;
    if (!want || want > n) return 0;
    for (size_t i = 1; i < want; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    // Overlong forms, surrogates, beyond U+10FFFF.
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] >= 0xa0) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] >= 0x90) return 0;
    return want;
}

static const char replacement[] = "\xef\xbf\xbd";

// C0 but the tab, DEL, C1, and what reorders text: embeddings, overrides and isolates (U+202A..U+202E
// and U+2066..U+2069).
static bool is_control(const unsigned char *p, size_t step)
{
    if (step == 1) return (*p < 0x20 && *p != '\t') || *p == 0x7f;
    if (step == 2) return p[0] == 0xc2 && p[1] < 0xa0;
    return step == 3 && p[0] == 0xe2 &&
           ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
            (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
}

// `escaped`: further characters that are written as \u escapes.
static void json_string(Out *o, const char *s, size_t n, const char *escaped)
{
    const unsigned char *p = (const unsigned char *)s;
    out_char(o, '"');
    while (n) {
        size_t step = utf8_length(p, n);
        if (step == 0) {
            out_text(o, replacement);
            step = 1;
        } else if (*p == '"' || *p == '\\') {
            out_printf(o, "\\%c", *p);
        } else if (*p == '\n') {
            out_text(o, "\\n");
        } else if (*p == '\t') {
            out_text(o, "\\t");
        } else if (step == 1 && (is_control(p, 1) || strchr(escaped, *p))) {
            out_printf(o, "\\u%04x", *p);
        } else if (is_control(p, step)) {
            uint32_t code = step == 2 ? p[1] : (uint32_t)(p[0] & 15) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
            out_printf(o, "\\u%04x", code);
        } else {
            out_bytes(o, p, step);
        }
        p += step;
        n -= step;
    }
    out_char(o, '"');
}

void out_json(Out *o, const char *s)
{
    json_string(o, s, strlen(s), "");
}

void out_json_html(Out *o, const char *s, size_t n)
{
    json_string(o, s, n, "<>&");
}

void out_html(Out *o, const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    while (n) {
        size_t step = utf8_length(p, n);
        if (step == 0 || (*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f) {
            out_text(o, replacement);
            step = 1;
        } else {
            switch (*p) {
            case '&':
                out_text(o, "&amp;");
                break;
            case '<':
                out_text(o, "&lt;");
                break;
            case '>':
                out_text(o, "&gt;");
                break;
            case '"':
                out_text(o, "&quot;");
                break;
            case '\'':
                out_text(o, "&#39;");
                break;
            default:
                out_bytes(o, p, step);
            }
        }
        p += step;
        n -= step;
    }
}

void out_plain(Out *o, const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s;
    while (n) {
        size_t step = utf8_length(p, n);
        if (step == 0 || is_control(p, step))
            out_text(o, replacement);
        else
            out_bytes(o, p, step);
        if (step == 0) step = 1;
        p += step;
        n -= step;
    }
}

void out_plain_lines(Out *o, const char *s, size_t n)
{
    while (n) {
        const char *end = memchr(s, '\n', n);
        size_t line = end ? (size_t)(end - s) : n;
        out_plain(o, s, line);
        if (!end) return;
        out_char(o, '\n');
        s += line + 1;
        n -= line + 1;
    }
}

void out_guard(Out *o)
{
    o->guarded = true;
}

const char *out_content(Out *o, size_t *len)
{
    vec_reserve(&o->buffer, (uint64_t)o->buffer.len + 1);
    o->buffer.at[o->buffer.len] = 0;
    if (len) *len = o->buffer.len;
    return o->buffer.at;
}

static void out_free(Out *o)
{
    vec_free(&o->buffer);
    mem_free(o->path);
    mem_free(o->beside);
    mem_free(o);
}

int out_close(Out *o)
{
    if (o->fd >= 0) flush(o, true);
    int error = o->error;
    if (o->path) {
        // mkstemp makes private files; give the usual rights less the umask.
        mode_t mask = umask(0);
        umask(mask);
        if (!error && fchmod(o->fd, 0666 & ~mask) != 0) error = errno;
    }
    if (o->owned && close(o->fd) != 0 && !error) error = errno;
    if (o->path && !error && rename(o->beside, o->path) != 0) error = errno;
    if (o->path && error) unlink(o->beside);
    out_free(o);
    return error;
}

void out_discard(Out *o)
{
    if (o->owned) close(o->fd);
    if (o->path) unlink(o->beside);
    out_free(o);
}
