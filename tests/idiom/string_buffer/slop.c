// A string buffer that starts on a shared empty string; its capacity says whether it has memory of
// its own. Two ways of growing meet in one summary, and the capacity is known to be positive after
// either.
// run: --level=likely
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    size_t alloc, len;
    char *buf;
};

char text_slop[1];
#define TEXT_INIT {0, 0, text_slop}

static int too_large(size_t n)
{
    static size_t limit;
    if (!limit) {
        const char *given = getenv("TEXT_LIMIT");
        limit = given ? strtoul(given, NULL, 10) : 0;
        if (!limit) limit = (size_t)-1;
    }
    if (n <= limit) return 0;
    fprintf(stderr, "limit\n");
    return -1;
}

static void *must_realloc(void *p, size_t n)
{
    if (too_large(n)) exit(1);
    void *r = realloc(p, n ? n : 1);
    if (!r) exit(1);
    return r;
}

static void text_init(struct text *t)
{
    struct text blank = TEXT_INIT;
    memcpy(t, &blank, sizeof *t);
}

static void text_release(struct text *t)
{
    if (t->alloc) {
        free(t->buf);
        text_init(t);
    }
}

static void text_grow(struct text *t, size_t extra)
{
    int fresh = !t->alloc;
    if (extra + 1 < extra || t->len + extra + 1 < t->len) exit(1);
    if (fresh) t->buf = NULL;
    if (t->len + extra + 1 > t->alloc) {
        if ((t->alloc + 16) * 3 / 2 < t->len + extra + 1)
            t->alloc = t->len + extra + 1;
        else
            t->alloc = (t->alloc + 16) * 3 / 2;
        t->buf = must_realloc(t->buf, t->alloc); // LEAK kept
    }
    if (fresh) t->buf[0] = 0;
}

static void text_add(struct text *t, const char *s, size_t n)
{
    text_grow(t, n);
    memcpy(t->buf + t->len, s, n);
    t->len += n;
    t->buf[t->len] = 0;
}

static void text_char(struct text *t, int c)
{
    if (t->alloc <= t->len + 1) text_grow(t, 1);
    t->buf[t->len++] = (char)c;
    t->buf[t->len] = 0;
}

int quoted(const char *s, FILE *to)
{
    struct text t = TEXT_INIT;
    while (*s) {
        size_t n = strcspn(s, "\"<>&");
        text_add(&t, s, n);
        s += n;
        switch (*s) {
        case '"':
            text_add(&t, "&quot;", 6);
            break;
        case '<':
            text_add(&t, "&lt;", 4);
            break;
        case '>':
            text_add(&t, "&gt;", 4);
            break;
        case 0:
            break;
        default:
            text_char(&t, *s);
        }
        if (*s) s++;
    }
    int r = fputs(t.buf, to);
    text_release(&t);
    return r;
}

int pair(const char *a, const char *b, FILE *to)
{
    struct text t = TEXT_INIT;
    text_add(&t, a, strlen(a));
    text_char(&t, '='); // LEAK kept
    text_add(&t, b, strlen(b)); // LEAK kept
    if (fputs(t.buf, to) < 0) return -1; // LOST kept
    text_release(&t);
    return 0;
}
