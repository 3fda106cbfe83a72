// What was freed comes back: as a result, through a field, through a global.
#include <stdlib.h>

struct pair {
    int a, b;
};

static struct pair *made_and_freed(struct pair *p) {
    p = malloc(10 * sizeof *p);
    if (p == NULL)
        exit(1);
    free(p);
    return p;
}

void result_freed_again(void) {
    struct pair *p = NULL;
    p = made_and_freed(p);
    free(p); // DOUBLE-FREE
}

int result_read(void) {
    struct pair *p = made_and_freed(NULL);
    return p->a; // USE-AFTER-FREE
}

static struct pair *current;

static void end_current(void) {
    free(current);
}

void freed_through_the_global_twice(void) {
    current = malloc(sizeof *current);
    end_current();
    free(current); // DOUBLE-FREE
    current = NULL;
}

void freed_through_the_global_once(void) {
    current = malloc(sizeof *current); // OK
    end_current();
    current = NULL;
}

struct holder {
    struct pair *held;
};

static void holder_clear(struct holder *h) {
    free(h->held);
}

void cleared_and_freed(void) {
    struct holder h;
    h.held = malloc(sizeof *h.held);
    holder_clear(&h);
    free(h.held); // DOUBLE-FREE
}

static struct pair *made_or_freed(int bad) {
    struct pair *p = malloc(sizeof *p);
    if (p == NULL)
        return NULL;
    if (bad)
        free(p);
    return p;
}

void only_the_good_one_freed(int bad) {
    struct pair *p = made_or_freed(bad);
    if (!bad)
        free(p);
}

void also_the_bad_one_freed(int bad) {
    struct pair *p = made_or_freed(bad);
    free(p); // DOUBLE-FREE
}
