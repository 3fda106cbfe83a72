// Files and descriptors on error paths.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int copied(const char *from, const char *to) {
    FILE *in = fopen(from, "rb"); // OK
    if (in == NULL)
        return -1;
    FILE *out = fopen(to, "wb"); // OK
    if (out == NULL) {
        fclose(in);
        return -1;
    }
    int c;
    while ((c = getc(in)) != EOF)
        putc(c, out);
    fclose(in);
    return fclose(out);
}

int input_left_open(const char *from, const char *to) {
    FILE *in = fopen(from, "rb"); // RESOURCE-LEAK in
    if (in == NULL)
        return -1;
    FILE *out = fopen(to, "wb"); // OK
    if (out == NULL)
        return -1; // LOST in
    fclose(in);
    return fclose(out);
}

char *slurp(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0)
        return NULL;
    struct stat st;
    char *text = NULL;
    if (fstat(fd, &st) == 0) {
        text = malloc(st.st_size + 1); // OK
        if (text != NULL) {
            ssize_t n = read(fd, text, st.st_size);
            if (n < 0) {
                free(text);
                text = NULL;
            } else {
                text[n] = 0;
            }
        }
    }
    close(fd);
    return text;
}

char *slurp_leaving_the_descriptor(const char *path) {
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0)
        return NULL;
    struct stat st;
    if (fstat(fd, &st) < 0)
        return NULL;                     // LOST fd
    char *text = malloc(st.st_size + 1); // LEAK text
    if (text == NULL) {
        close(fd);
        return NULL;
    }
    if (read(fd, text, st.st_size) != st.st_size) {
        close(fd);
        return NULL; // LOST text
    }
    text[st.st_size] = 0;
    close(fd);
    return text;
}

FILE *opened_or_standard(const char *path) {
    if (strcmp(path, "-") == 0)
        return stdin;
    return fopen(path, "r"); // OK
}

int closed_unless_standard(const char *path) {
    FILE *f = opened_or_standard(path);
    if (f == NULL)
        return -1;
    int c = getc(f);
    if (f != stdin)
        fclose(f);
    return c;
}
