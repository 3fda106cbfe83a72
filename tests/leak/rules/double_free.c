// double-free: the same block released twice on one path.
#include <stdlib.h>
#include <string.h>

void twice_in_a_row(void) {
    char *p = malloc(4);
    free(p);
    free(p); // DOUBLE-FREE
}

void twice_through_an_alias(void) {
    char *p = malloc(4);
    char *q = p;
    free(p);
    free(q); // DOUBLE-FREE
}

int again_on_the_error_path(int n) {
    char *p = malloc(4);
    if (n < 0)
        free(p);
    if (n < -5) {
        free(p); // DOUBLE-FREE; WHEN: n < -5
        return -1;
    }
    if (n >= 0)
        free(p);
    return 0;
}

static void drop(char *p) {
    free(p);
}

void in_a_callee_and_here(void) {
    char *p = malloc(4);
    drop(p);
    free(p); // DOUBLE-FREE
}

int label_reached_twice(int n) {
    char *p = malloc(4);
    if (p == NULL)
        return -1;
    if (n == 1) {
        free(p);
        goto out;
    }
    n++;
out:
    free(p); // DOUBLE-FREE
    return n;
}

void null_is_no_block(void) {
    char *p = malloc(4); // OK
    free(p);
    p = NULL;
    free(p);
}

void a_new_block_in_between(void) {
    char *p = malloc(4); // OK
    free(p);
    p = malloc(4); // OK
    free(p);
}

void different_blocks(void) {
    char *a = malloc(1); // OK
    char *b = malloc(2); // OK
    free(a);
    free(b);
}

void exclusive_branches(int n) {
    char *p = malloc(4); // OK
    if (n > 3)
        free(p);
    if (n <= 3)
        free(p);
}

struct owner {
    char *text;
};

static void owner_clear(struct owner *o) {
    free(o->text);
}

void cleared_twice(const char *s) {
    struct owner o = {strdup(s)};
    owner_clear(&o);
    free(o.text); // DOUBLE-FREE
}
