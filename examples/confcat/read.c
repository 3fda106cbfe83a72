#include "conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 8

static int include(struct conf *c, const char *path, const char *line, int depth)
{
    char *name = text_trim(line + strlen("include"), line + strlen(line));
    if (name == NULL)
        return -1;
    char *inner = text_beside(path, name);
    free(name);
    if (inner == NULL)
        return -1;
    if (depth >= MAX_DEPTH) {
        fprintf(stderr, "%s: includes go too deep\n", inner);
        return -1; // forgets inner
    }
    int status = conf_read(c, inner, depth + 1);
    free(inner);
    return status;
}

static int assign(struct conf *c, const char *line)
{
    const char *equals = strchr(line, '=');
    if (equals == NULL)
        return -1;
    char *key = text_trim(line, equals);
    char *value = text_trim(equals + 1, line + strlen(line));
    int status = -1;
    if (key != NULL && value != NULL)
        status = conf_set(c, key, value);
    free(key);
    free(value);
    return status;
}

int conf_read(struct conf *c, const char *path, int depth)
{
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        perror(path);
        return -1;
    }
    char *line = NULL;
    size_t room = 0;
    int number = 0, status = 0;
    while (status == 0 && getline(&line, &room, f) >= 0) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (strncmp(line, "include ", 8) == 0) {
            status = include(c, path, line, depth);
        } else if (assign(c, line) < 0) {
            fprintf(stderr, "%s:%d: expected key = value\n", path, number);
            free(line);
            return -1; // leaves the file open
        }
    }
    free(line);
    fclose(f);
    return status;
}
