// Fields that change together: descriptor and stream, tag and pointer, count and buffer, a buffer
// inside the struct or a block, pointers into a block that moves.
// run: --level=likely
#include <fcntl.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct out { int fd; FILE *stream; int kind; union { char *text; long num; } u; };

int out_open(struct out *o, const char *n)
{
    o->fd = open(n, O_WRONLY); // OK
    o->stream = NULL;
    if (o->fd < 0) return -1;
    o->stream = fdopen(o->fd, "w");
    if (!o->stream) {
        close(o->fd);
        o->fd = -1;
        return -1;
    }
    return 0;
}
void out_close(struct out *o)
{
    if (o->stream) {
        fclose(o->stream);
        o->stream = NULL;
        o->fd = -1;
    } else if (o->fd >= 0) {
        close(o->fd);
        o->fd = -1;
    }
}
int out_use(const char *n)
{
    struct out o;
    memset(&o, 0, sizeof o);
    if (out_open(&o, n) < 0) return -1;
    fputs("x", o.stream);
    out_close(&o);
    return 0;
}

void set_text(struct out *o, const char *s)
{
    if (o->kind == 1) free(o->u.text);
    o->kind = 1;
    o->u.text = strdup(s); // OK
}
void set_num(struct out *o, long n)
{
    if (o->kind == 1) free(o->u.text);
    o->kind = 2;
    o->u.num = n;
}
void out_clear(struct out *o)
{
    if (o->kind == 1) free(o->u.text);
    o->kind = 0;
}
int tagged(const char *s)
{
    struct out o = {0};
    set_text(&o, s);
    set_num(&o, 3);
    set_text(&o, s);
    out_clear(&o);
    return 0;
}

struct vec { char **at; size_t len, cap; };
int vec_add(struct vec *v, const char *s)
{
    if (v->len == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 8;
        char **at = realloc(v->at, cap * sizeof *at); // OK
        if (!at) return -1;
        v->at = at;
        v->cap = cap;
    }
    char *c = strdup(s); // OK
    if (!c) return -1;
    v->at[v->len++] = c;
    return 0;
}
void vec_clear(struct vec *v)
{
    for (size_t i = 0; i < v->len; i++) free(v->at[i]);
    free(v->at);
    memset(v, 0, sizeof *v);
}
int vec_use(const char *a)
{
    struct vec v = {0};
    if (vec_add(&v, a) < 0 || vec_add(&v, "x") < 0) {
        vec_clear(&v);
        return -1;
    }
    puts(v.at[0]);
    vec_clear(&v);
    return 0;
}
// count and buffer: freed when there is a count
struct seg { int n; int *at; };
int seg_set(struct seg *s, int n)
{
    s->n = 0;
    s->at = NULL;
    if (n > 0) {
        s->at = malloc(n * sizeof *s->at); // OK
        if (!s->at) return -1;
        s->n = n;
    }
    return 0;
}
void seg_free(struct seg *s)
{
    if (s->n) free(s->at);
    s->n = 0;
}
int seg_use(int n)
{
    struct seg s;
    if (seg_set(&s, n) < 0) return -1;
    seg_free(&s);
    return 0;
}

// inline or heap
struct sbuf { char *p; size_t n, cap; char room[64]; };
void sb_init(struct sbuf *b) { b->p = b->room; b->n = 0; b->cap = sizeof b->room; }
int sb_add(struct sbuf *b, const char *s, size_t n)
{
    if (b->n + n > b->cap) {
        size_t cap = (b->n + n) * 2;
        char *p;
        if (b->p == b->room) {
            p = malloc(cap); // OK
            if (!p) return -1;
            memcpy(p, b->p, b->n);
        } else {
            p = realloc(b->p, cap); // OK
            if (!p) return -1;
        }
        b->p = p;
        b->cap = cap;
    }
    memcpy(b->p + b->n, s, n);
    b->n += n;
    return 0;
}
void sb_done(struct sbuf *b)
{
    if (b->p != b->room) free(b->p);
    b->p = b->room;
}
int sb_use(const char *s)
{
    struct sbuf b;
    sb_init(&b);
    if (sb_add(&b, s, strlen(s)) < 0 || sb_add(&b, s, strlen(s)) < 0) {
        sb_done(&b);
        return -1;
    }
    puts(b.p);
    sb_done(&b);
    return 0;
}
int local_room(const char *s)
{
    char room[128], *p = room;
    size_t n = strlen(s) + 1;
    if (n > sizeof room && !(p = malloc(n))) return -1; // OK
    memcpy(p, s, n);
    puts(p);
    if (p != room) free(p);
    return 0;
}
int cap_says(const char *s, size_t n)
{
    char room[128], *p = room;
    if (n >= sizeof room) p = malloc(n + 1); // OK
    if (!p) return -1;
    strncpy(p, s, n);
    puts(p);
    if (n >= sizeof room) free(p);
    return 0;
}

// rebased
struct text { char *base, *cur, *end; };
int text_grow(struct text *t, size_t more)
{
    size_t size = t->end - t->base;
    char *p = realloc(t->base, size + more); // OK
    if (!p) return -1;
    t->cur = p + (t->cur - t->base);
    t->end = p + size + more;
    t->base = p;
    return 0;
}
int text_grow_by_difference(struct text *t, size_t more)
{
    size_t size = t->end - t->base;
    char *p = realloc(t->base, size + more); // OK
    if (!p) return -1;
    ptrdiff_t d = p - t->base;
    t->base = p;
    t->cur += d;
    t->end += d + more;
    return 0;
}
struct link { struct link *next; char *name; };
int table_grow(struct link **tab, struct link **head, size_t n)
{
    struct link *old = *tab;
    struct link *p = realloc(old, n * sizeof *p); // OK
    if (!p) return -1;
    if (*head) *head = (struct link *)((char *)p + ((char *)*head - (char *)old));
    *tab = p;
    return 0;
}
char *join_words(char **w, int n)
{
    size_t cap = 16, len = 0;
    char *b = malloc(cap), *p = b; // OK
    if (!b) return NULL;
    for (int i = 0; i < n; i++) {
        size_t k = strlen(w[i]);
        if (len + k + 1 > cap) {
            cap = (len + k + 1) * 2;
            char *q = realloc(b, cap); // OK
            if (!q) {
                free(b);
                return NULL;
            }
            p = q + (p - b);
            b = q;
        }
        memcpy(p, w[i], k);
        p += k;
        len += k;
    }
    *p = 0;
    return b;
}
// moved out
int moved(struct vec *to, struct vec *from)
{
    for (size_t i = 0; i < from->len; i++) {
        to->at[to->len++] = from->at[i];
        from->at[i] = NULL;
    }
    free(from->at);
    from->at = NULL;
    from->len = 0;
    return 0;
}
char **split(const char *s, int *count)
{
    char **a = NULL;
    int n = 0;
    char *c = strdup(s); // OK
    if (!c) return NULL;
    for (char *t = strtok(c, ","); t; t = strtok(NULL, ",")) {
        char **b = realloc(a, (n + 2) * sizeof *b); // OK
        if (!b) break;
        a = b;
        a[n] = strdup(t); // OK
        if (!a[n]) break;
        a[++n] = NULL;
    }
    free(c);
    *count = n;
    return a;
}
