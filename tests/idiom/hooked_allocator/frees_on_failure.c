// An allocator behind pointers that can be replaced. The replacement of realloc frees the block when
// it fails, which realloc does not: who keeps the old block then is wrong with the one and right with
// the other, and that is likely at most.
#include <stdlib.h>
#include <string.h>

static void *careful(void *p, size_t n) {
    void *q = realloc(p, n);
    if (q == NULL)
        free(p);
    return q;
}

static void *(*resize)(void *, size_t) = realloc;

void use_careful(void) {
    resize = careful;
}

static char *append(char *s, const char *more) {
    size_t n = strlen(s);
    char *t = resize(s, n + strlen(more) + 1);
    if (t == NULL)
        return s;
    strcpy(t + n, more);
    return t;
}

char *kept_when_it_fails(char *s) {
    s = append(s, "a");
    s[0] = 'b';
    return s;
}

char *used_after_all(char *s) {
    free(s);
    s[0] = 'b'; // USE-AFTER-FREE
    return s;
}
