// An optimized build sees the library's inline getline: its specification still counts.
// run: --level=likely -- -O2 -D_GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int use(const char *);

int file_left_open_in_the_loop(const char *path) {
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK f
    if (f == NULL)
        return -1;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, f) >= 0) { // OK
        if (use(line) < 0) {
            free(line);
            return -1; // LOST f
        }
    }
    free(line);
    fclose(f);
    return 0;
}

int line_forgotten(FILE *f) {
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, f) < 0) // LEAK line
        return -1; // LOST line
    int n = use(line);
    free(line);
    return n;
}
