// Variable arguments: a list of pointers to free, printf as a reader, pointers taken by va_arg.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_all(void *first, ...) {
    va_list ap;
    va_start(ap, first);
    for (void *p = first; p != NULL; p = va_arg(ap, void *))
        free(p);
    va_end(ap);
}

static char *format(const char *fmt, ...) {
    char *out = malloc(100); // LEAK formatted
    if (out == NULL)
        return NULL;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(out, 100, fmt, ap);
    va_end(ap);
    return out;
}

void list_of_three(void) {
    char *a = malloc(1); // OK
    char *b = malloc(2); // OK
    if (a != NULL && b != NULL) {
        free_all(a, b, (void *)NULL);
        return;
    }
    free(a);
    free(b);
}

void formatted_and_freed(int n) {
    char *s = format("%d", n);
    free(s);
}

void formatted_and_printed(int n) {
    char *s = format("%d", n); // LEAK formatted
    printf("%s\n", s ? s : "");
} // LOST formatted

void printing_keeps_nothing(const char *s) {
    char *copy = strdup(s); // LEAK printed
    printf("%s %p\n", copy ? copy : "", (void *)copy);
} // LOST printed
