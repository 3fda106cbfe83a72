// asprintf gives a block when it does not return -1.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int removed(const char *dir, int n) {
    char *path;
    if (asprintf(&path, "%s/%d", dir, n) < 0) // OK
        return -1;
    int r = unlink(path);
    free(path);
    return r;
}

int forgotten_when_the_removal_fails(const char *dir, int n) {
    char *path;
    if (asprintf(&path, "%s/%d", dir, n) < 0) // LEAK path
        return -1;
    if (unlink(path) < 0)
        return -1; // LOST path
    free(path);
    return 0;
}

void overwritten_in_a_loop(int n) {
    char *all = NULL;
    for (int i = 0; i < n; i++) {
        if (asprintf(&all, "%d", i) == -1) // LEAK all; LOST all
            return; // LOST all
    }
    free(all);
}

char *appended_by_formatting(int n) {
    char *all = NULL;
    for (int i = 0; i < n; i++) {
        char *next;
        if (asprintf(&next, "%s%d", all ? all : "", i) == -1) { // OK
            free(all);
            return NULL;
        }
        free(all);
        all = next;
    }
    return all;
}

char *returned(int n) {
    char *s;
    return asprintf(&s, "%d", n) < 0 ? NULL : s; // OK
}
