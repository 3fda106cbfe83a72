// main keeps its arguments in globals, where the reader of options finds them.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count;
static char **words;
static char *suffix, *line_of_input;
static int verbose;

static void read_switches(void) {
    int opt;
    while ((opt = getopt(count, words, "z:v")) != -1) {
        switch (opt) {
        case 'z':
            suffix = strdup(optarg); // OK likely: the option given twice
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            exit(1);
        }
    }
}

static void read_input(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        line_of_input = strdup(line); // LEAK line; LOST line
    }
}

int main(int argc, char **argv) {
    count = argc;
    words = argv;
    read_switches();
    read_input();
    printf("%s %s %d\n", suffix, line_of_input, verbose);
    return 0;
}
