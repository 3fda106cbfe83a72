// A program that works through its input and never waits has no start-up: what is lost in a loop over
// lines adds up with them, wherever it is. A wait that is in no loop is none that a program lives in.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_lines(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK line RECURS
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST line
        puts(copy);
        free(copy);
    }
}

static int is_ready(FILE *f) {
    struct pollfd p = {fileno(f), POLLIN, 0};
    return poll(&p, 1, 1000) > 0;
}

int main(void) {
    read_lines(stdin);
    return is_ready(stdin) ? 0 : 1;
}
