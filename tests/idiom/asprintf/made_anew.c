// A wrapper that ends the program when it fails, used twice with one variable.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int make_text(char **text, const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    int n = vasprintf(text, format, ap);
    va_end(ap);
    if (n == -1)
        exit(1);
    return n;
}

int used_again(int a, int b) {
    char *path;
    make_text(&path, "/proc/%d", a); // OK
    int n = access(path, R_OK);
    free(path);
    if (n == -1) {
        make_text(&path, "/proc/%d", b); // OK
        n = access(path, R_OK);
        free(path);
    }
    return n;
}

int dropped_the_second_time(int a, int b) {
    char *path;
    make_text(&path, "/proc/%d", a); // OK
    int n = access(path, R_OK);
    free(path);
    if (n == -1) {
        make_text(&path, "/proc/%d", b); // LEAK second
        n = access(path, R_OK);
    } // LOST second
    return n;
}
