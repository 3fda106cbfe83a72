// A copy or fill of unknown length that starts inside a block changes nothing before its start.
// run: --level=likely
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct buf {
    unsigned flags;
    char *data;
    size_t len;
    struct buf *next;
};

// One block: header, then the data.
struct buf *make(const char *d, size_t n)
{
    struct buf *b = malloc(sizeof *b + n);
    if (b == NULL) return NULL;
    b->flags = 0;
    b->next = NULL;
    b->data = (char *)(b + 1);
    b->len = n;
    memcpy(b->data, d, n);
    return b;
}

void drop(struct buf *b)
{
    if (b->flags & 1) free(b->data);
    free(b);
}

void made_and_dropped(const char *d, size_t n)
{
    struct buf *b = make(d, n); // OK
    if (b != NULL) drop(b);
}

void in_one_go(const char *d, size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // OK
    if (b == NULL) return;
    b->data = (char *)(b + 1);
    memcpy(b->data, d, n);
    if (b->flags & 1) free(b->data);
    free(b);
}

void filled(size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // OK
    if (b == NULL) return;
    b->data = (char *)(b + 1);
    memset(b->data, 'x', n);
    if (b->flags & 1) free(b->data);
    free(b);
}

void was_read(int fd, size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // OK
    if (b == NULL) return;
    b->data = (char *)(b + 1);
    ssize_t got = read(fd, b->data, n);
    if (got < 0) b->len = 0;
    if (b->flags & 1) free(b->data);
    free(b);
}

void by_hand(const char *d, size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // OK
    if (b == NULL) return;
    b->data = (char *)(b + 1);
    for (size_t i = 0; i < n; i++) b->data[i] = d[i];
    if (b->flags & 1) free(b->data);
    free(b);
}

void by_moving_pointer(const char *d, size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // OK
    if (b == NULL) return;
    char *p = (char *)(b + 1);
    b->data = p;
    while (n-- > 0) *p++ = *d++;
    if (b->flags & 1) free(b->data);
    free(b);
}

void text(const char *d)
{
    struct buf *b = calloc(1, sizeof *b + strlen(d) + 1); // OK
    if (b == NULL) return;
    b->data = strcpy((char *)(b + 1), d);
    if (b->flags & 1) free(b->data);
    free(b);
}

struct name {
    struct name *next;
    int owned;
    char *alias;
    char text[];
};

struct name *name_new(const char *s, size_t n)
{
    struct name *m = malloc(sizeof *m + n + 1);
    if (m == NULL) return NULL;
    m->owned = 0;
    m->alias = NULL;
    m->next = NULL;
    memcpy(m->text, s, n);
    m->text[n] = 0;
    return m;
}

void name_free(struct name *m)
{
    if (m->owned) free(m->alias);
    free(m);
}

int flexible(const char *s, size_t n)
{
    struct name *m = name_new(s, n); // OK
    if (m == NULL) return -1;
    int r = (int)strlen(m->text);
    name_free(m);
    return r;
}

// The caller's own struct, which nobody looked at before the copy.
void put_text(struct name *m, const char *s, size_t n)
{
    memcpy(m->text, s, n);
    m->text[n] = 0;
}

void set_beside(const char *s, size_t n)
{
    struct name *m = calloc(1, sizeof *m + n + 1); // OK
    if (m == NULL) return;
    put_text(m, s, n);
    if (m->owned) free(m->text);
    free(m);
}

void set_beside_alias(const char *s, size_t n)
{
    struct name *m = calloc(1, sizeof *m + n + 1); // OK
    if (m == NULL) return;
    m->alias = strdup(s); // OK
    m->owned = 1;
    put_text(m, s, n);
    if (m->owned) free(m->alias);
    free(m);
}

// The test is one of the first field on both sides of the copy.
void asked_on_both_sides(struct name *m, const char *s, size_t n)
{
    char *copy = NULL;
    if (m->owned) copy = malloc(n); // OK
    memcpy(m->text, s, n);
    if (m->owned) free(copy);
}

struct pair {
    int id;
    char text[16];
    int owned;
};

// An array inside a struct is not left.
void asked_behind(struct pair *m, const char *s, size_t n)
{
    char *copy = NULL;
    if (m->owned) copy = malloc(n); // OK
    memcpy(m->text, s, n);
    if (m->owned) free(copy);
}

int of_ours(int fd, const char *s, size_t n, size_t off)
{
    struct pair *m = calloc(1, sizeof *m); // OK
    if (m == NULL) return -1;
    m->owned = 1;
    char *copy = strdup(s); // OK
    memcpy(m->text + off, s, n);
    ssize_t got = read(fd, m->text, n);
    if (m->owned) free(copy);
    free(m);
    return (int)got;
}

void on_the_stack(const char *s)
{
    struct pair m = {0};
    m.owned = 1;
    char *copy = strdup(s); // OK
    strcpy(m.text, s);
    if (m.owned) free(copy);
}

static struct pair last;

void of_the_program(const char *s)
{
    char *copy = last.owned ? strdup(s) : NULL; // OK
    strcpy(last.text, s);
    if (last.owned) free(copy);
}

// The struct as a whole may change: the answers may differ.
void all_of_it(struct pair *m, const char *s, size_t n)
{
    char *copy = NULL;
    if (m->owned) copy = malloc(n); // LEAK all
    memcpy(m, s, n);
    if (m->owned) free(copy);
} // LOST all

struct label {
    char text[32];
    int owned;
};

// The text stands first, but it is known to be short.
void short_enough(struct label *m, const char *s)
{
    char *copy = NULL;
    size_t n = strlen(s);
    if (m->owned) copy = strdup(s); // OK
    if (n < sizeof m->text) memcpy(m->text, s, n + 1);
    if (m->owned) free(copy);
}

struct ring {
    int owner;
    size_t head, tail;
    char *spare;
    unsigned char data[4096];
};

int ring_put(struct ring *r, const void *d, size_t n)
{
    if (r->tail + n > sizeof r->data) return -1;
    memcpy(r->data + r->tail, d, n);
    r->tail += n;
    return 0;
}

int in_a_ring(const char *d, size_t n)
{
    struct ring *r = calloc(1, sizeof *r); // OK
    if (r == NULL) return -1;
    int rc = ring_put(r, d, n);
    if (r->owner) free(r->data);
    if (r->spare) free(r->spare);
    free(r);
    return rc;
}

// From its end backwards: what stands before may change.
struct arena {
    struct arena *next;
    char *pending;
    char space[1024 - 2 * sizeof(char *)];
};

char *from_the_end(struct arena *a, const char *s, size_t n)
{
    char *end = (char *)a + sizeof *a;
    memcpy(end - n, s, n);
    return end - n;
}

void leaks_all_the_same(const char *d, size_t n)
{
    struct buf *b = calloc(1, sizeof *b + n); // LEAK same
    if (b == NULL) return;
    b->data = (char *)(b + 1);
    memcpy(b->data, d, n);
    if (b->flags == 0) return; // LOST same
    free(b);
}

void owner_forgotten(const char *s, size_t n)
{
    struct name *m = calloc(1, sizeof *m + n + 1);
    if (m == NULL) return;
    m->alias = strdup(s); // LEAK alias
    put_text(m, s, n);
    if (m->owned) free(m->alias);
    free(m); // LOST alias
}
