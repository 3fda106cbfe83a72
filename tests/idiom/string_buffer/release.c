// A growing string in a local struct: every way out must release it, or hand it on.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sbuf {
    size_t room, len;
    char *text;
};

static char sbuf_empty[1];

#define SBUF_INIT {0, 0, sbuf_empty}

static void sbuf_init(struct sbuf *sb) {
    sb->room = sb->len = 0;
    sb->text = sbuf_empty;
}

static void sbuf_grow(struct sbuf *sb, size_t extra) {
    if (sb->len + extra + 1 <= sb->room)
        return;
    int fresh = sb->room == 0;
    char *p = realloc(fresh ? NULL : sb->text, sb->len + extra + 1); // LEAK early; LEAK helper; LEAK detached
    if (p == NULL)
        abort();
    if (fresh)
        p[0] = 0;
    sb->text = p;
    sb->room = sb->len + extra + 1;
}

static void sbuf_add(struct sbuf *sb, const char *s) {
    size_t n = strlen(s);
    sbuf_grow(sb, n);
    memcpy(sb->text + sb->len, s, n + 1);
    sb->len += n;
}

static void sbuf_release(struct sbuf *sb) {
    if (sb->room) {
        free(sb->text);
        sbuf_init(sb);
    }
}

static char *sbuf_detach(struct sbuf *sb) {
    sbuf_grow(sb, 0);
    char *p = sb->text;
    sbuf_init(sb);
    return p;
}

extern int run_command(const char *);

int released(const char *a, const char *b) {
    struct sbuf sb = SBUF_INIT;
    sbuf_add(&sb, a);
    sbuf_add(&sb, b);
    int r = run_command(sb.text);
    sbuf_release(&sb);
    return r;
}

int not_released_on_failure(const char *a) {
    struct sbuf sb = SBUF_INIT;
    sbuf_add(&sb, a); // LEAK early
    if (run_command(sb.text) < 0)
        return -1; // LOST early
    sbuf_release(&sb);
    return 0;
}

char *handed_on(const char *a) {
    struct sbuf sb = SBUF_INIT;
    sbuf_add(&sb, a);
    return sbuf_detach(&sb);
}

int nothing_was_added(void) {
    struct sbuf sb = SBUF_INIT;
    return sb.len == 0;
}

static int fill(struct sbuf *sb, const char *s) {
    sbuf_add(sb, s);
    return run_command(sb->text);
}

int filled_by_a_failing_helper(const char *s) {
    struct sbuf sb = SBUF_INIT;
    if (fill(&sb, s) < 0) // LEAK helper
        return -1;        // LOST helper
    sbuf_release(&sb);
    return 0;
}

int detached_and_forgotten(const char *s) {
    struct sbuf sb = SBUF_INIT;
    sbuf_add(&sb, s);
    char *p = sbuf_detach(&sb); // LEAK detached
    int r = run_command(p);
    sbuf_release(&sb);
    return r; // LOST detached
}
