// Library functions whose result the caller must free, and those whose result it must not.
#define _GNU_SOURCE
#include <libgen.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int real_path_freed(const char *path) {
    char *p = realpath(path, NULL); // OK
    if (p == NULL)
        return -1;
    int r = access(p, R_OK);
    free(p);
    return r;
}

int real_path_forgotten(const char *path) {
    char *p = realpath(path, NULL); // LEAK real
    return p ? access(p, R_OK) : -1; // LOST real
}

int real_path_into_a_buffer(const char *path) {
    char buffer[4096];
    char *p = realpath(path, buffer);
    return p ? access(p, R_OK) : -1;
}

int current_directory_forgotten(void) {
    char *p = getcwd(NULL, 0); // LEAK cwd
    if (p == NULL)
        return -1;
    return p[0] == '/'; // LOST cwd
}

int environment_is_not_ours(void) {
    const char *p = getenv("HOME");
    return p != NULL;
}

int base_name_points_into_the_copy(const char *path) {
    char *copy = strdup(path); // OK
    if (copy == NULL)
        return -1;
    char *base = basename(copy);
    int n = (int)strlen(base);
    free(copy);
    return n;
}

int expression_freed(const char *pattern, const char *s) {
    regex_t re;
    if (regcomp(&re, pattern, REG_EXTENDED) != 0) // OK
        return -1;
    int r = regexec(&re, s, 0, NULL, 0);
    regfree(&re);
    return r;
}

int tokens_of_a_copy(const char *s) {
    char *copy = strdup(s); // OK
    if (copy == NULL)
        return -1;
    int n = 0;
    for (char *t = strtok(copy, ","); t != NULL; t = strtok(NULL, ","))
        n++;
    free(copy);
    return n;
}

int tokens_moving_the_only_pointer(const char *s) {
    char *rest = strdup(s); // LEAK rest
    if (rest == NULL)
        return -1;
    int n = 0;
    while (strsep(&rest, ",") != NULL) // LOST rest
        n++;
    return n; // LOST rest
}

int open_stream_closed_and_freed(void) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n); // OK
    if (f == NULL)
        return -1;
    fputs("hello", f);
    fclose(f);
    int r = text != NULL;
    free(text);
    return r;
}
