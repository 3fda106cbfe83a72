// The fields of one row of a constant table go together, whichever row it is.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kind {
    const char *name;
    int heap;
    void *(*open)(const char *);
    void (*close)(void *);
};

static void *file_open(const char *n) { return fopen(n, "r"); }
static void file_close(void *f) { fclose(f); }
static void *copy_open(const char *n) { return strdup(n); }
static void copy_close(void *p) { free(p); }
static void *none_open(const char *n) { (void)n; return NULL; }
static void none_close(void *p) { (void)p; }

static const struct kind kinds[] = {
    {"file", 0, file_open, file_close},
    {"copy", 1, copy_open, copy_close},
    {"none", 0, none_open, none_close},
};

int by_index(int i, const char *n)
{
    void *h = kinds[i].open(n); // OK
    if (!h) return -1;
    kinds[i].close(h);
    return 0;
}

int by_pointer(const struct kind *k, const char *n)
{
    void *h = k->open(n); // OK
    if (!h) return -1;
    k->close(h);
    return 0;
}

int by_search(const char *want, const char *n)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, want)) continue;
        void *h = kinds[i].open(n); // OK
        if (!h) return -1;
        kinds[i].close(h);
        return 0;
    }
    return -1;
}

struct stream { const struct kind *k; void *h; };

struct stream *stream_open(int i, const char *n)
{
    struct stream *s = malloc(sizeof *s); // OK
    if (!s) return NULL;
    s->k = &kinds[i];
    s->h = s->k->open(n);
    if (!s->h) {
        free(s);
        return NULL;
    }
    return s;
}
void stream_close(struct stream *s)
{
    s->k->close(s->h);
    free(s);
}
int streamed(int i, const char *n)
{
    struct stream *s = stream_open(i, n);
    if (!s) return -1;
    stream_close(s);
    return 0;
}

static const int sizes[] = {0, 16, 0, 64};
int by_number(int i)
{
    char *p = NULL;
    if (sizes[i]) p = malloc(sizes[i]); // OK
    puts("x");
    if (sizes[i]) free(p);
    return 0;
}
static const unsigned char flags[256] = {['a'] = 1, ['b'] = 2, ['c'] = 3};
int by_letter(const char *s)
{
    char *p = NULL;
    unsigned char c = (unsigned char)*s;
    if (flags[c] & 1) p = strdup(s); // OK
    if (strchr(s, ':')) puts(s);
    if (flags[c] & 1) free(p);
    return 0;
}

static const struct { int code; int alloc; } codes[] = {{1, 0}, {2, 1}, {3, 1}};
int by_struct(unsigned i, const char *s)
{
    char *p = (char *)s;
    if (i >= 3) return -1;
    if (codes[i].alloc) p = strdup(s); // OK
    puts(p ? p : "");
    if (codes[i].alloc) free(p);
    return 0;
}

int wrong_index(int i, int j, const char *s)
{
    char *p = NULL;
    if (sizes[i]) p = strdup(s); // LEAK wrong
    if (sizes[j]) free(p);
    return 0; // LOST wrong
}
