// A small buffer on the stack, or in the struct, with the heap as a fallback.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int digest(const void *, size_t);

int freed_when_not_the_array(const char *s) {
    char small[64];
    size_t n = strlen(s) + 1;
    char *p = small;
    if (n > sizeof small) {
        p = malloc(n); // OK
        if (p == NULL)
            return -1;
    }
    memcpy(p, s, n);
    int r = digest(p, n);
    if (p != small)
        free(p);
    return r;
}

int early_return_forgets(const char *s) {
    char small[64];
    size_t n = strlen(s) + 1;
    char *p = small;
    if (n > sizeof small) {
        p = malloc(n); // LEAK large
        if (p == NULL)
            return -1;
    }
    memcpy(p, s, n);
    if (digest(p, n) < 0)
        return -1; // LOST large
    if (p != small)
        free(p);
    return 0;
}

int freed_by_a_second_pointer(const char *s) {
    char small[64];
    char *heap = NULL;
    char *p = small;
    size_t n = strlen(s) + 1;
    if (n > sizeof small)
        p = heap = malloc(n); // OK
    int r = p != NULL ? digest(memcpy(p, s, n), n) : -1;
    free(heap);
    return r;
}

struct vec {
    int *data;
    int inline_data[4];
    int n;
};

static int vec_resize(struct vec *v, int n) {
    int *p = v->inline_data;
    if (n > 4) {
        p = malloc(n * sizeof *p); // LEAK left
        if (p == NULL)
            return -1;
    }
    if (v->data != v->inline_data)
        free(v->data);
    v->data = p;
    v->n = n;
    return 0;
}

static void vec_free(struct vec *v) {
    if (v->data != v->inline_data)
        free(v->data);
}

int resized_and_freed(int n) {
    struct vec v;
    v.data = v.inline_data;
    v.n = 0;
    if (vec_resize(&v, n) < 0)
        return -1;
    vec_free(&v);
    return 0;
}

int resized_and_left(int n) {
    struct vec v;
    v.data = v.inline_data;
    v.n = 0;
    return vec_resize(&v, n); // LEAK left; LOST left
}
