// A release that a global switches off while the program ends.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int really_exiting;
static int debug;

void quick_free(void *p) {
    if (p != NULL && !really_exiting)
        free(p);
}

int left_only_while_exiting(const char *s) {
    char *copy = strdup(s); // OK likely: only where the release is switched off
    if (copy == NULL)
        return -1;
    puts(copy);
    quick_free(copy);
    return 0;
}

int left_on_the_error_exit(const char *s) {
    char *copy = strdup(s); // LEAK copy
    if (copy == NULL)
        return -1;
    if (puts(copy) < 0)
        return -2; // LOST copy
    quick_free(copy);
    return 0;
}

void trace(const char *s) {
    if (debug)
        puts(s);
}

int left_after_the_trace(const char *s) {
    char *copy = strdup(s); // LEAK traced
    if (copy == NULL)
        return -1;
    trace(copy);
    return 0; // LOST traced
}

struct list {
    char *data;
    int count;
};

static void list_clear(struct list *l) {
    quick_free(l->data);
    l->data = NULL;
    l->count = 0;
}

int cleared_by_a_wrapper(const char *s) {
    struct list l = {strdup(s), 1}; // OK likely: as above
    if (l.data == NULL)
        return -1;
    puts(l.data);
    list_clear(&l);
    return 0;
}
