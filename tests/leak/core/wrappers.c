// Wrappers of the allocator need no specification when their code is there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t n) {
    void *p = malloc(n); // LEAK direct; LEAK deep; LEAK branch
    if (p == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static char *xstrdup(const char *s) {
    char *p = xmalloc(strlen(s) + 1);
    return strcpy(p, s);
}

static char *quoted(const char *s) {
    char *p = xmalloc(strlen(s) + 3);
    sprintf(p, "'%s'", s);
    return p;
}

static void xfree(void *p) {
    if (p != NULL)
        free(p);
}

static void clear(char **p) {
    xfree(*p);
    *p = NULL;
}

void wrapped_both_ways(const char *s) {
    char *p = xstrdup(s);
    xfree(p);
}

void forgotten_through_a_wrapper(void) {
    char *p = xmalloc(3); // LEAK direct
    p[0] = 0;
} // LOST direct

void forgotten_through_two_wrappers(const char *s) {
    char *p = xstrdup(s); // LEAK deep
    p[0] = 0;
} // LOST deep

void cleared_by_address(const char *s) {
    char *p = quoted(s);
    clear(&p);
    free(p);
}

int forgotten_on_one_branch(const char *s) {
    char *p = quoted(s); // LEAK branch
    if (p[1] == '\'')
        return 0; // LOST branch
    xfree(p);
    return 1;
}

static void *pool_or_heap(void *pool, size_t n) {
    return pool != NULL ? pool : xmalloc(n);
}

void from_the_pool(void) {
    static char pool[100];
    char *p = pool_or_heap(pool, 10);
    p[0] = 0;
}
