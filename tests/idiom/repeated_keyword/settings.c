// A keyword that comes twice overwrites the copy of the first.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    char *cachefile;
    char *device;
    int level;
};

static int next_line(FILE *f, char *key, char *value) {
    return fscanf(f, "%63s %63s", key, value) == 2;
}

int second_setting_over_the_first(FILE *f, struct settings *s) {
    char key[64], value[64];
    memset(s, 0, sizeof *s);
    while (next_line(f, key, value)) {
        if (strcmp(key, "cachefile") == 0)
            s->cachefile = strdup(value); // LEAK cachefile; LOST cachefile
        else if (strcmp(key, "level") == 0)
            s->level = atoi(value);
        else
            return -1;
    }
    return 0;
}

int second_setting_replaces_the_first(FILE *f, struct settings *s) {
    char key[64], value[64];
    memset(s, 0, sizeof *s);
    while (next_line(f, key, value)) {
        if (strcmp(key, "cachefile") == 0) {
            free(s->cachefile);
            s->cachefile = strdup(value); // OK
        } else if (strcmp(key, "device") == 0) {
            if (s->device == NULL)
                s->device = strdup(value); // OK
        }
    }
    return 0;
}

static const struct keyword {
    const char *name;
    size_t offset;
} keywords[] = {
    {"cachefile", offsetof(struct settings, cachefile)},
    {"device", offsetof(struct settings, device)},
};

int replaced_through_an_offset(struct settings *s, const char *key, const char *value) {
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (strcmp(keywords[i].name, key) != 0)
            continue;
        char **field = (char **)((char *)s + keywords[i].offset);
        free(*field);
        *field = strdup(value); // OK
        return *field ? 0 : -1;
    }
    return -1;
}

int struct_freed_with_what_was_read(const char *value) {
    struct settings *s = calloc(1, sizeof *s); // OK
    if (s == NULL)
        return -1;
    s->cachefile = strdup(value); // LEAK shallow
    if (s->cachefile == NULL || s->cachefile[0] != '/') {
        free(s); // LOST shallow
        return -1;
    }
    free(s->cachefile);
    free(s);
    return 0;
}
