// The condition that is told is the one that decides: not those of a logger, of a message, of the end of a loop.
#include <dirent.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void log_line(const char *text) {
    FILE *f = fopen("/var/log/stanch-test", "a");
    if (f == NULL)
        return;
    fputs(text, f);
    fclose(f);
}

int log_level;

static void log_at(int level, const char *text) {
    if (level > log_level)
        log_line(text);
}

int level_of_a_logger(const char *name, int depth) {
    char *copy = strdup(name); // LEAK level; ONLY WHEN: depth > 8
    if (copy == NULL)
        return -1;
    log_at(3, name);
    if (depth > 8)
        return -1; // LOST level
    free(copy);
    return 0;
}

int logger_in_between(const char *name, int depth) {
    char *copy = strdup(name); // LEAK logged; ONLY WHEN: depth > 8
    if (copy == NULL)
        return -1;
    log_line(copy);
    if (depth > 3)
        log_line("deep");
    if (depth > 8)
        return -1; // LOST logged
    free(copy);
    return 0;
}

int message_in_between(const char *name, int quiet, int bad) {
    char *copy = strdup(name); // LEAK message; ONLY WHEN: bad
    if (copy == NULL)
        return -1;
    if (!quiet)
        printf("%s\n", copy);
    if (bad)
        return -1; // LOST message
    free(copy);
    return 0;
}

int loop_that_ends(const char *path) {
    DIR *d = opendir(path); // RESOURCE-LEAK list
    struct dirent *e;
    if (d == NULL)
        return -1;
    while ((e = readdir(d)) != NULL)
        puts(e->d_name);
    return 0; // LOST list
}

int empty_directory(const char *path) {
    DIR *d = opendir(path); // RESOURCE-LEAK empty; ONLY WHEN: readdir() has no more entries
    struct dirent *e;
    if (d == NULL)
        return -1;
    e = readdir(d);
    if (e == NULL)
        return 1; // LOST empty
    puts(e->d_name);
    closedir(d);
    return 0;
}

static int checked(const char *path) {
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return -1;
    fclose(f);
    return 0;
}

int callee_that_decides(const char *name, const char *path) {
    char *copy = strdup(name); // LEAK decided; WHEN: fopen() fails
    if (copy == NULL)
        return -1;
    if (checked(path) < 0)
        return -1; // LOST decided
    free(copy);
    return 0;
}

int counted_by_the_loop(const char *name) {
    char *copy = strdup(name); // LEAK counted; WHEN: n > 5
    size_t n = 0;
    if (copy == NULL)
        return -1;
    while (name[n] != '\0')
        n++;
    if (n > 5)
        return -1; // LOST counted
    free(copy);
    return 0;
}
