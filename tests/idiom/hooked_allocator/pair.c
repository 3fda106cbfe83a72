// An allocator and its release behind two pointers: they are replaced together.
#include <stdlib.h>
#include <string.h>

struct header {
    size_t size, tag;
};

static void *counted_malloc(size_t size) {
    struct header *h = malloc(sizeof *h + size);
    if (h == NULL)
        return NULL;
    h->size = size;
    return h + 1;
}

static void counted_free(void *p) {
    if (p != NULL)
        free((struct header *)p - 1);
}

void *(*hook_malloc)(size_t) = counted_malloc;
void (*hook_free)(void *) = counted_free;

void use_plain_memory(void) {
    hook_malloc = malloc;
    hook_free = free;
}

int released_by_its_own_hook(const char *s) {
    char *p = hook_malloc(strlen(s) + 1); // OK
    if (p == NULL)
        return -1;
    strcpy(p, s);
    int first = p[0];
    hook_free(p);
    return first;
}

int points_inside_a_block(size_t n) {
    char *p = malloc(n + 1);
    if (p == NULL)
        return -1;
    free(p + 1); // INVALID-FREE
    return 0;
}
