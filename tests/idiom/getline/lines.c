// getline allocates through its first argument, also when it reads nothing.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int counted_and_freed(FILE *f) {
    char *line = NULL;
    size_t room = 0;
    int n = 0;
    while (getline(&line, &room, f) > 0) // OK
        n++;
    free(line);
    return n;
}

int counted_and_forgotten(FILE *f) {
    char *line = NULL;
    size_t room = 0;
    int n = 0;
    while (getline(&line, &room, f) > 0) // LEAK line
        n++;
    return n; // LOST line
}

int forgotten_on_the_early_return(FILE *f, const char *word) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, f) > 0) { // LEAK early
        if (strstr(line, word) != NULL)
            return 1; // LOST early
    }
    free(line);
    return 0;
}

char *first_line(FILE *f) {
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, f) < 0) { // OK
        free(line);
        return NULL;
    }
    return line;
}

char *first_line_lost_at_end_of_file(FILE *f) {
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, f) < 0) // LEAK eof
        return NULL;                  // LOST eof
    return line;
}

int fresh_buffer_for_each_line(FILE *f) {
    int n = 0;
    for (;;) {
        char *line = NULL;
        size_t room = 0;
        if (getline(&line, &room, f) < 0) { // OK
            free(line);
            break;
        }
        n++;
        free(line);
    }
    return n;
}
