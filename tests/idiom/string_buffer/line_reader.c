// A growing string whose empty form is a static byte; its capacity says which of the two it is, also
// after getdelim has set both.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct text {
    size_t room, length;
    char *at;
};

static char nothing[1];

static void text_init(struct text *t) {
    t->room = t->length = 0;
    t->at = nothing;
}

static void text_release(struct text *t) {
    if (t->room) {
        free(t->at);
        text_init(t);
    }
}

static int text_line(struct text *t, FILE *f) {
    if (!t->room)
        t->at = NULL;
    ssize_t n = getdelim(&t->at, &t->room, '\n', f);
    if (n > 0) {
        t->length = n;
        return 0;
    }
    t->length = 0;
    if (!t->at)
        text_init(t);
    return -1;
}

int lines_read_and_released(FILE *f) {
    struct text t;
    int count = 0;
    text_init(&t);
    while (text_line(&t, f) == 0)
        count++;
    text_release(&t);
    return count;
}

int lines_read_and_kept(FILE *f) {
    struct text t;
    int count = 0;
    text_init(&t);
    while (text_line(&t, f) == 0) // LEAK line
        count++;
    return count; // LOST line
}
