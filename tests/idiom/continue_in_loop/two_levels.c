// What each round makes is a structure of two blocks; skipping a round loses both.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int skip(const char *);

static char **holder_new(const char *s) {
    char **h = malloc(sizeof *h); // LEAK holder
    if (h == NULL)
        return NULL;
    *h = strdup(s); // ALSO text
    return h;
}

static void holder_free(char **h) {
    free(*h);
    free(h);
}

void skipped_rounds_leak(const char **list, int n) {
    for (int i = 0; i < n; i++) {        // LOST holder; LOST text
        char **h = holder_new(list[i]); // LEAK holder; LOST holder; LOST text
        if (h == NULL)
            return;
        if (skip(list[i]))
            continue; // LOST holder; LOST text
        puts(*h ? *h : "");
        holder_free(h);
    } // LOST holder; LOST text
}

void skipped_rounds_free(const char **list, int n) {
    for (int i = 0; i < n; i++) {
        char **h = holder_new(list[i]);
        if (h == NULL)
            return;
        if (!skip(list[i]))
            puts(*h ? *h : "");
        holder_free(h);
    }
}

void fixed_number_of_rounds(const char *s) {
    for (int i = 0; i < 100; i++) {
        char *p = strdup(s); // LEAK hundred; LOST hundred
        if (p == NULL)
            break;
        if (skip(p))
            continue; // LOST hundred
        free(p);
    } // LOST hundred
}

int endless_loop(const char *s) {
    for (;;) {
        char *p = strdup(s); // LEAK endless; LOST endless
        if (p == NULL)
            return -1;
        if (skip(p))
            continue; // LOST endless
        free(p);
    } // LOST endless
}
