// What the last round of a loop leaves behind is lost once: likely where the function runs once,
// sure where it is called for each file, or where every round loses its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t total;

static void read_settings(void) {
    FILE *f = fopen("/etc/settings", "r");
    char *line = NULL;
    size_t size = 0;
    if (f == NULL)
        exit(1);
    while (getline(&line, &size, f) > 0) { // OK likely: main calls this once
        if (*line == '#')
            continue;
        total += strlen(line);
    }
    fclose(f);
}

static void read_file(const char *path) {
    FILE *f = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    if (f == NULL)
        exit(1);
    while (getline(&line, &size, f) > 0) { // LEAK line
        if (*line == '#')
            continue;
        total += strlen(line);
    }
    fclose(f);
} // LOST line

static void each_round(void) {
    char word[80];
    while (scanf("%79s", word) == 1) {
        char *copy = strdup(word); // LEAK word
        if (copy == NULL)
            exit(1);
        total += strlen(copy);
    } // LOST word
}

int main(int argc, char **argv) {
    read_settings();
    for (int i = 1; i < argc; i++)
        read_file(argv[i]);
    each_round();
    return total == 0;
}
