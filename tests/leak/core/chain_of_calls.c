// A block handed down and up through several functions.
#include <stdlib.h>
#include <string.h>

static char *third(const char *s) {
    return strdup(s); // LEAK top
}

static char *second(const char *s) {
    char *p = third(s);
    if (p != NULL)
        p[0] = '.';
    return p;
}

static char *first(const char *s) {
    return second(s + 1);
}

static void drop_third(char *p) {
    free(p);
}

static void drop_second(char *p) {
    if (p != NULL)
        drop_third(p);
}

static void drop_first(char *p) {
    drop_second(p);
}

void up_and_down(const char *s) {
    char *p = first(s);
    drop_first(p);
}

void up_only(const char *s) {
    char *p = first(s); // LEAK top
    (void)p;
} // LOST top

void dropped_twice_at_depth(const char *s) {
    char *p = first(s);
    drop_first(p);
    drop_second(p); // DOUBLE-FREE
}

static const char *longer(const char *a, const char *b) {
    return strlen(a) > strlen(b) ? a : b;
}

void result_is_one_of_the_arguments(const char *s) {
    char *a = strdup(s); // OK
    char *b = strdup(s); // LEAK shorter
    if (a != NULL && b != NULL) {
        const char *l = longer(a, b);
        if (l == a)
            free(b);
    }
    free(a);
} // LOST shorter
