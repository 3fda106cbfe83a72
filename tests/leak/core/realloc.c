// realloc: moved, failed, and of size zero.
#include <stdlib.h>

int into_itself(int n) {
    char *p = malloc(n); // LEAK self
    if (p == NULL)
        return -1;
    p = realloc(p, 2 * n + 1); // LOST self
    if (p == NULL)
        return -1; // LOST self
    free(p);
    return 0;
}

int into_another_name(int n) {
    char *p = malloc(n); // OK
    if (p == NULL)
        return -1;
    char *q = realloc(p, 2 * n + 1); // OK
    if (q == NULL) {
        free(p);
        return -1;
    }
    free(q);
    return 0;
}

int old_one_forgotten_on_failure(int n) {
    char *p = malloc(n); // LEAK old
    if (p == NULL)
        return -1;
    char *q = realloc(p, 2 * n + 1); // OK
    if (q == NULL)
        return -1; // LOST old
    free(q);
    return 0;
}

int new_one_forgotten(int n) {
    char *p = malloc(n); // OK
    if (p == NULL)
        return -1;
    char *q = realloc(p, 2 * n + 1); // LEAK moved
    if (q == NULL) {
        free(p);
        return -1;
    }
    return 0; // LOST moved
}

int old_one_freed_after_success(int n) {
    char *p = malloc(n); // OK
    if (p == NULL)
        return -1;
    char *q = realloc(p, 2 * n + 1); // OK
    free(p);                         // DOUBLE-FREE
    free(q);
    return 0;
}

char *of_null_is_malloc(int n) {
    char *p = realloc(NULL, n); // OK
    return p;
}

void of_null_forgotten(int n) {
    char *p = realloc(NULL, n + 1); // LEAK fresh
    (void)p;
} // LOST fresh

struct buffer {
    char *data;
    int size;
};

int grow(struct buffer *b, int n) {
    char *p = realloc(b->data, n); // OK
    if (p == NULL)
        return -1;
    b->data = p;
    b->size = n;
    return 0;
}

int grown_twice_and_freed(void) {
    struct buffer b = {0};
    if (grow(&b, 10) < 0)
        return -1;
    if (grow(&b, 20) < 0) {
        free(b.data);
        return -1;
    }
    free(b.data);
    return 0;
}

static int grow_leaky(struct buffer *b, int n) {
    char *p = realloc(b->data, n); // LEAK kept
    if (p == NULL)
        return -1;
    b->data = p;
    b->size = n;
    return 0;
}

int forgotten_when_the_second_growth_fails(void) {
    struct buffer b = {0};
    if (grow_leaky(&b, 10) < 0) // LEAK kept
        return -1;
    if (grow_leaky(&b, 20) < 0)
        return -1; // LOST kept
    free(b.data);
    return 0;
}
