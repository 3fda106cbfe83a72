// What a process can lose only a few times, at its start or by an option that is given twice, is
// likely only; what it loses for each file is sure.
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *suffix, *last_name, *prefix, *title;
extern char *defaults[];
extern int count_of_defaults;

static void read_start_file(void) {
    char *name = strdup("/etc/start"); // OK likely: called once
    if (name != NULL)
        puts(name);
}

static int one_file(const char *path) {
    char *copy = strdup(path); // LEAK copy
    if (copy == NULL)
        return -1;
    if (access(copy, R_OK) != 0)
        return -1; // LOST copy
    puts(copy);
    free(copy);
    return 0;
}

static void settings(char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(words[i], "prefix=", 7) == 0)
            prefix = strdup(words[i] + 7); // OK likely: only a second setting loses the first
}

static int leading(char *const *words, int count) {
    int i;
    for (i = 0; i < count && words[i][0] == '+'; i++)
        if (words[i][1] == 't')
            title = strdup(words[i] + 2); // OK likely: likewise, among the words with a plus
    return i;
}

static void commands(FILE *f) {
    char line[80];
    while (fgets(line, sizeof line, f))
        if (line[0] == 'n')
            last_name = strdup(line + 1); // LEAK command; LOST command
}

int main(int argc, char **argv) {
    int c, failed = 0;
    read_start_file();
    while ((c = getopt(argc, argv, "s:v")) != -1) {
        switch (c) {
        case 's':
            suffix = strdup(optarg); // OK likely: only a second -s loses the first
            break;
        case 'v':
            puts("verbose");
            break;
        default:
            return 2;
        }
    }
    failed = leading(defaults, count_of_defaults);
    settings(argv + optind, (size_t)(argc - optind));
    for (int i = optind; i < argc; i++)
        failed |= one_file(argv[i]);
    commands(stdin);
    puts(suffix ? suffix : title);
    return failed ? 1 : 0;
}
