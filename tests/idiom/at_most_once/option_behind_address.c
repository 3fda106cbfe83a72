// Options are read behind the addresses of main's arguments, in a function that never comes back.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct metrics {
    long count;
};

static struct metrics *metrics;
static char *last;
int tool, verbose;

static int enable(const char *name) {
    if (strcmp(name, "stats") != 0)
        return 0;
    metrics = malloc(sizeof *metrics); // OK likely: the option given twice
    return metrics != NULL;
}

static int read_flags(int *argc, char ***argv) {
    int opt;
    while (!tool && (opt = getopt(*argc, *argv, "d:v")) != -1) {
        switch (opt) {
        case 'd':
            if (!enable(optarg))
                return 1;
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            return 2;
        }
    }
    return -1;
}

static void read_lines(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        last = strdup(line); // LEAK line; LOST line
        if (last == NULL)
            break;
    }
}

static void run(int argc, char **argv) {
    int status = read_flags(&argc, &argv);
    if (status < 0)
        read_lines();
    exit(status < 0 ? metrics != NULL : status);
}

int main(int argc, char **argv) {
    run(argc, argv);
}
