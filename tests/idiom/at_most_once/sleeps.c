// A program that sleeps between its rounds, as cron does, lives in that loop: what it reads before is read once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int stop;

static void read_settings(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK setting ONCE because STARTS_UP
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST setting
        puts(copy);
        free(copy);
    }
}

static void do_jobs(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK job RECURS
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST job
        puts(copy);
        free(copy);
    }
}

int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (f == NULL)
        return 1;
    read_settings(f);
    while (!stop) {
        rewind(f);
        do_jobs(f);
        sleep(60);
    }
    return 0;
}
