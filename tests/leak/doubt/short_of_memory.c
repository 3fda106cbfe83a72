// Leaks that need an allocation to fail: the failure is told by null, by a number of the library or by
// one of a callee. A function that fails on its input too is no allocation; and where null is followed
// on every path afterwards the process ends there.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *at;
    size_t len, size;
};

static int grow(struct buffer *b) {
    char *more = realloc(b->at, b->size * 2);
    if (more == NULL)
        return -1;
    b->at = more;
    b->size *= 2;
    return 0;
}

static int open_buffer(struct buffer *b) {
    b->at = malloc(16);
    b->len = 0;
    b->size = 16;
    return b->at != NULL ? 0 : -ENOMEM;
}

int told_by_the_library(const char *s) {
    char *copy = strdup(s), *text; // LEAK library MEMORY-SHORT because NO_MEMORY
    if (copy == NULL)
        return -1;
    if (asprintf(&text, "<%s>", copy) < 0)
        return -1; // LOST library
    puts(text);
    free(text);
    free(copy);
    return 0;
}

int told_by_a_callee(const char *s) {
    struct buffer b;
    char *copy = strdup(s); // LEAK callee MEMORY-SHORT because NO_MEMORY
    if (copy == NULL)
        return -1;
    int error = open_buffer(&b);
    if (error < 0)
        return error; // LOST callee
    free(b.at);
    free(copy);
    return 0;
}

int told_by_realloc_in_a_callee(struct buffer *b, const char *s) {
    char *copy = strdup(s); // LEAK grown MEMORY-SHORT because NO_MEMORY
    if (copy == NULL)
        return -1;
    if (b->len == b->size && grow(b) < 0)
        return -1; // LOST grown
    free(copy);
    return 0;
}

// The number means more than one thing.
static int open_named(struct buffer *b, const char *name) {
    if (name[0] == '\0')
        return -1;
    b->at = strdup(name);
    return b->at != NULL ? 0 : -1;
}

int told_of_input_too(const char *s, const char *name) {
    struct buffer b;
    char *copy = strdup(s); // LEAK input RECURS
    if (copy == NULL)
        return -1;
    if (open_named(&b, name) < 0)
        return -1; // LOST input
    free(b.at);
    free(copy);
    return 0;
}

int fails_on_its_input(const char *s, const char *name) {
    char *copy = strdup(s); // LEAK path RECURS
    if (copy == NULL)
        return -1;
    char *path = realpath(name, NULL);
    if (path == NULL)
        return -1; // LOST path
    free(path);
    free(copy);
    return 0;
}

int null_is_followed(const char *s) {
    char *copy = strdup(s); // LEAK followed ONCE because NO_MEMORY PROCESS_ENDS
    if (copy == NULL)
        return -1;
    char *other = malloc(20);
    if (other == NULL) {
        puts("no memory");
        copy = NULL; // LOST followed
    }
    other[0] = 'x';
    free(other);
    free(copy);
    return 0;
}

int null_is_copied_from(const char *s) {
    char *copy = strdup(s); // LEAK copied ONCE because NO_MEMORY PROCESS_ENDS
    if (copy == NULL)
        return -1;
    char *other = strdup(copy);
    if (other == NULL)
        copy = NULL; // LOST copied
    size_t n = strlen(other);
    free(other);
    free(copy);
    return (int)n;
}

int null_is_followed_on_one_path(const char *s, int n) {
    char *copy = strdup(s); // LEAK one MEMORY-SHORT because NO_MEMORY
    if (copy == NULL)
        return -1;
    char *other = malloc(20);
    if (other == NULL)
        copy = NULL; // LOST one
    if (n > 3)
        other[0] = 'x';
    free(other);
    free(copy);
    return 0;
}
