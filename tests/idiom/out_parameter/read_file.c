// int f(T **out): the caller owns *out when f says success.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_all(const char *path, char **out, size_t *len) {
    FILE *f = fopen(path, "rb"); // OK
    if (f == NULL)
        return -errno;
    size_t n = 0, room = 1024;
    char *buf = malloc(room); // LEAK empty; LEAK header
    if (buf == NULL) {
        fclose(f);
        return -ENOMEM;
    }
    n = fread(buf, 1, room - 1, f);
    if (ferror(f)) {
        free(buf);
        fclose(f);
        return -EIO;
    }
    fclose(f);
    buf[n] = 0;
    *out = buf;
    *len = n;
    return 0;
}

int used_and_freed(const char *path) {
    char *text;
    size_t len;
    int r = read_all(path, &text, &len);
    if (r < 0)
        return r;
    int lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    free(text);
    return lines;
}

int empty_file_forgotten(const char *path) {
    char *text;
    size_t len;
    int r = read_all(path, &text, &len); // LEAK empty
    if (r < 0)
        return r;
    if (len == 0)
        return -EINVAL; // LOST empty
    free(text);
    return 0;
}

int bad_header_forgotten(const char *path, char **body) {
    char *text = NULL;
    size_t len;
    if (read_all(path, &text, &len) != 0) // LEAK header
        return -1;
    if (strncmp(text, "magic", 5) != 0)
        return -1; // LOST header
    *body = text;
    return 0;
}

int only_on_success_set(const char *path, char **body) {
    char *text = NULL;
    size_t len;
    *body = NULL;
    if (read_all(path, &text, &len) != 0)
        return -1;
    if (strncmp(text, "magic", 5) != 0) {
        free(text);
        return -1;
    }
    *body = text;
    return 0;
}
