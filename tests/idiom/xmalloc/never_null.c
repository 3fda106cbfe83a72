// xmalloc never returns null: no error paths, and tests of its result are dead code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(size_t n) __attribute__((noreturn));

static void out_of_memory(size_t n) {
    fprintf(stderr, "cannot allocate %zu bytes\n", n);
    abort();
}

void *xmalloc(size_t n) {
    void *p = malloc(n); // LEAK name; LEAK path
    if (p == NULL && n != 0)
        out_of_memory(n);
    return p;
}

void *xrealloc(void *old, size_t n) {
    void *p = realloc(old, n); // OK
    if (p == NULL && n != 0)
        out_of_memory(n);
    return p;
}

char *xstrdup(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(xmalloc(n), s, n);
}

int joined_and_freed(const char *dir, const char *file) {
    size_t n = strlen(dir) + strlen(file) + 2;
    char *path = xmalloc(n);
    snprintf(path, n, "%s/%s", dir, file);
    int r = remove(path);
    free(path);
    return r;
}

int joined_and_lost(const char *dir, const char *file) {
    size_t n = strlen(dir) + strlen(file) + 2;
    char *path = xmalloc(n); // LEAK path
    snprintf(path, n, "%s/%s", dir, file);
    if (remove(path) < 0)
        return -1; // LOST path
    free(path);
    return 0;
}

void dead_error_path(void) {
    char *a = xmalloc(10);
    char *b = xmalloc(20);
    if (b == NULL)
        return;
    free(a);
    free(b);
}

char *grown(char *p, size_t n) {
    return xrealloc(p, n + 1);
}

void second_copy_lost(const char *s) {
    char *name = xstrdup(s); // LEAK name
    name = xstrdup(name);    // LOST name
    free(name);
}
