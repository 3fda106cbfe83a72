// Freed only when things went wrong, only when they went right, or only when a file opened.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int parse(const char *);

int freed_on_errors_only(const char *s) {
    char *copy = strdup(s); // LEAK success
    if (copy == NULL)
        return -1;
    char *dash = strchr(copy, '-');
    if (dash == NULL) {
        free(copy);
        return 0;
    }
    *dash = 0;
    if (parse(copy) < 0 || parse(dash + 1) < 0) {
        free(copy);
        return -1;
    }
    return 1; // LOST success
}

int freed_only_when_the_file_opened(const char *dir) {
    char *path = malloc(strlen(dir) + 10); // LEAK path
    if (path == NULL)
        return -1;
    sprintf(path, "%s/state", dir);
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL)
        return -1; // LOST path
    int c = getc(f);
    fclose(f);
    free(path);
    return c;
}

int short_circuit_skips_the_close(const char *path, int n) {
    FILE *f = fopen(path, "w"); // RESOURCE-LEAK file
    if (f == NULL)
        return -1;
    if (fprintf(f, "%d\n", n) < 0 || fclose(f) != 0)
        return -1; // LOST file
    return 0;
}

int closed_whatever_was_written(const char *path, int n) {
    FILE *f = fopen(path, "w"); // OK
    if (f == NULL)
        return -1;
    int bad = fprintf(f, "%d\n", n) < 0;
    bad |= fclose(f) != 0;
    return bad ? -1 : 0;
}

void flag_that_guards_the_free_not_set(const char *s, int keep) {
    int free_it = 0;
    char *cmd = strdup(s); // LEAK flagged
    if (cmd == NULL)
        return;
    if (cmd[0] != 0)
        free_it = 1;
    if (keep)
        parse(cmd);
    if (free_it)
        free(cmd);
} // LOST flagged
