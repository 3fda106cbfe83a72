// Uses the vector of vector.c: strings that nobody frees, and strings that are freed.
#include <stdlib.h>

struct vec;
struct vec *vec_new(void);
void vec_push(struct vec *v, void *item);
void vec_free_all(struct vec *v, void (*drop)(void *));

static void keep(void *p) { (void)p; }

void forgotten(void) {
    struct vec *v = vec_new(); vec_push(v, malloc(10)); vec_free_all(v, keep);
}

void freed(void) {
    struct vec *v = vec_new(); vec_push(v, malloc(10)); vec_free_all(v, free);
}
