// An early continue skips the free at the end of the loop's body.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int valid(const char *);
extern void store(const char *);

int bad_lines_leak(FILE *f) {
    char buf[256];
    int n = 0;
    while (fgets(buf, sizeof buf, f) != NULL) { // LOST bad
        char *line = strdup(buf);               // LEAK bad; LOST bad
        if (line == NULL)
            return -1;
        if (!valid(line))
            continue; // LOST bad
        store(line);
        n++;
        free(line);
    } // LOST bad
    return n;
}

int bad_lines_freed(FILE *f) {
    char buf[256];
    int n = 0;
    while (fgets(buf, sizeof buf, f) != NULL) {
        char *line = strdup(buf); // OK
        if (line == NULL)
            return -1;
        if (!valid(line)) {
            free(line);
            continue;
        }
        store(line);
        n++;
        free(line);
    }
    return n;
}

int freed_in_the_for_header(const char **list) {
    int n = 0;
    for (char *p = NULL; *list != NULL; list++, free(p)) {
        p = strdup(*list); // OK
        if (p == NULL)
            continue;
        if (!valid(p))
            continue;
        n++;
    }
    return n;
}

int returned_from_the_middle(const char **list) {
    for (; *list != NULL; list++) {
        char *p = strdup(*list); // LEAK middle
        if (p == NULL)
            continue;
        if (!valid(p))
            return -1; // LOST middle
        free(p);
    }
    return 0;
}
