// A program that sleeps until something has happened does not live in that loop: it works through its input, and
// what each line loses adds up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int main(void) {
    read_lines(stdin);
    for (int i = 0; i < 5; i++) {
        if (rename("new", "old") == 0)
            return 0;
        sleep(1);
    }
    while (rename("new", "older") != 0)
        sleep(1);
    return 1;
}
