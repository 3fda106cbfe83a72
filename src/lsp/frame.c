// Messages in a stream: header lines, an empty line, a body of Content-Length bytes.
//
// Where a header makes no sense but has a length, its body is skipped. Without one the stream is
// out of step: it is searched for the next "Content-Length:", so that one broken message does not
// end the conversation.
#include "lsp/lsp_int.h"

#include <ctype.h>
#include <strings.h>

static const char length_name[] = "Content-Length";

void frame_feed(MessageFrame *f, const char *bytes, size_t n)
{
    if (f->skip) {
        size_t drop = n < f->skip ? n : (size_t)f->skip;
        f->skip -= drop;
        bytes += drop;
        n -= drop;
    }
    if (f->at && f->at >= f->bytes.len / 2) {
        memmove(f->bytes.at, f->bytes.at + f->at, f->bytes.len - f->at);
        f->bytes.len -= f->at;
        f->at = 0;
    }
    vec_append(&f->bytes, bytes, n);
}

static bool header_is(const char *line, size_t n, const char *name, const char **value)
{
    size_t len = strlen(name);
    if (n <= len || strncasecmp(line, name, len) != 0 || line[len] != ':') return false;
    *value = line + len + 1;
    return true;
}

// Decimal digits and blanks alone; what does not fit is larger than any body that is read.
static bool read_length(const char *s, const char *end, uint64_t *length)
{
    uint64_t sum = 0;
    while (s < end && isblank((unsigned char)*s)) s++;
    if (s == end || !isdigit((unsigned char)*s)) return false;
    for (; s < end && isdigit((unsigned char)*s); s++)
        if (sum < UINT64_MAX / 20) sum = sum * 10 + (uint64_t)(*s - '0');
    while (s < end && isblank((unsigned char)*s)) s++;
    *length = sum;
    return s == end;
}

// The protocol has UTF-8 alone; "utf8" is an old spelling of it.
static bool charset_known(const char *s, const char *end)
{
    const char *p = memmem(s, (size_t)(end - s), "charset=", 8);
    if (!p) return true;
    p += 8;
    if (p < end && *p == '"') p++;
    return (end - p >= 5 && strncasecmp(p, "utf-8", 5) == 0) ||
           (end - p >= 4 && strncasecmp(p, "utf8", 4) == 0);
}

// False: this is no header line at all.
static bool header_line(MessageFrame *f, const char *line, size_t n)
{
    const char *value;
    if (header_is(line, n, length_name, &value)) {
        uint64_t length;
        if (!read_length(value, line + n, &length)) return false;
        if (f->has_length && length != f->length) return false;
        f->has_length = true;
        f->length = length;
        return true;
    }
    if (header_is(line, n, "Content-Type", &value)) {
        if (!charset_known(value, line + n)) f->bad_header = true;
        return true;
    }
    size_t name = 0; // a field that we do not know
    while (name < n && (isalnum((unsigned char)line[name]) || line[name] == '-')) name++;
    return name && name < n && line[name] == ':';
}

static FrameKind bad(MessageFrame *f, const char *reason)
{
    f->has_length = f->bad_header = f->in_body = false;
    f->reason = reason;
    return FRAME_BAD;
}

static FrameKind skip_body(MessageFrame *f, const char *reason)
{
    uint32_t there = f->bytes.len - f->at;
    uint32_t drop = f->length < there ? (uint32_t)f->length : there;
    f->at += drop;
    f->skip = f->length - drop;
    return bad(f, reason);
}

static FrameKind take_body(MessageFrame *f, const char **body, size_t *len)
{
    if (f->bad_header) return skip_body(f, "the character set is not UTF-8");
    if (f->length > MAX_BODY) return skip_body(f, "the message is too large");
    if (f->length > f->bytes.len - f->at) return FRAME_NONE;
    *body = f->bytes.at + f->at;
    *len = (size_t)f->length;
    f->at += (uint32_t)f->length;
    f->has_length = f->in_body = false;
    return FRAME_BODY;
}

static FrameKind lose(MessageFrame *f)
{
    f->lost = true;
    return bad(f, "a header that is not understood");
}

// Forward to the next header. False: it is not there yet.
static bool find_header(MessageFrame *f)
{
    uint32_t there = f->bytes.len - f->at, keep = sizeof length_name;
    const char *from = f->bytes.at + f->at;
    const char *p = there ? memmem(from, there, "Content-Length:", sizeof length_name) : NULL;
    if (p)
        f->at += (uint32_t)(p - from);
    else if (there > keep)
        f->at += there - keep;
    f->lost = !p;
    return p != NULL;
}

FrameKind frame_next(MessageFrame *f, const char **body, size_t *len)
{
    for (;;) {
        if (f->lost && !find_header(f)) return FRAME_NONE;
        if (f->in_body) return take_body(f, body, len);
        uint32_t there = f->bytes.len - f->at;
        const char *line = f->bytes.at + f->at;
        const char *end = there ? memchr(line, '\n', there) : NULL;
        if (!end) return there > MAX_HEADER ? lose(f) : FRAME_NONE;
        size_t n = (size_t)(end - line);
        if (n > MAX_HEADER) return lose(f);
        f->at += (uint32_t)n + 1;
        if (n && line[n - 1] == '\r') n--;
        if (n) {
            if (!header_line(f, line, n)) return lose(f);
        } else if (f->has_length) {
            f->in_body = true;
        } else {
            return bad(f, "a message without Content-Length");
        }
    }
}

void frame_free(MessageFrame *f)
{
    vec_free(&f->bytes);
}
