// A configuration reader as they are: sections, keys, values, errors in the middle.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    struct setting *next;
    char *key;
    char *value;
};

struct config {
    struct setting *first;
    char *path;
    int lines;
};

static char *trim(const char *s, const char *end) {
    while (s < end && isspace((unsigned char)*s))
        s++;
    while (end > s && isspace((unsigned char)end[-1]))
        end--;
    return strndup(s, end - s); // LEAK key; ALSO text
}

static void setting_free(struct setting *s) {
    free(s->key);
    free(s->value);
    free(s);
}

void config_free(struct config *c) {
    if (c == NULL)
        return;
    while (c->first != NULL) {
        struct setting *s = c->first;
        c->first = s->next;
        setting_free(s);
    }
    free(c->path);
    free(c);
}

static int parse_line(struct config *c, const char *line) {
    const char *eq = strchr(line, '=');
    if (eq == NULL)
        return -1;
    struct setting *s = calloc(1, sizeof *s); // ALSO setting
    if (s == NULL)
        return -1;
    s->key = trim(line, eq);
    s->value = trim(eq + 1, line + strlen(line));
    if (s->key == NULL || s->value == NULL) {
        setting_free(s);
        return -1;
    }
    s->next = c->first;
    c->first = s;
    return 0;
}

int parse_line_losing_the_key(struct config *c, const char *line) {
    const char *eq = strchr(line, '=');
    if (eq == NULL)
        return -1;
    char *key = trim(line, eq); // LEAK key
    if (key == NULL)
        return -1;
    struct setting *s = calloc(1, sizeof *s); // OK
    if (s == NULL)
        return -1; // LOST key
    s->key = key;
    s->value = NULL;
    s->next = c->first;
    c->first = s;
    return 0;
}

struct config *config_read(const char *path) {
    char line[512];
    FILE *f = fopen(path, "r"); // OK
    if (f == NULL)
        return NULL;
    struct config *c = calloc(1, sizeof *c); // OK
    if (c == NULL) {
        fclose(f);
        return NULL;
    }
    c->path = strdup(path); // OK
    while (fgets(line, sizeof line, f) != NULL) {
        c->lines++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (parse_line(c, line) < 0) {
            fclose(f);
            config_free(c);
            return NULL;
        }
    }
    fclose(f);
    return c;
}

struct config *config_read_leaky(const char *path) {
    char line[512];
    FILE *f = fopen(path, "r"); // RESOURCE-LEAK file
    if (f == NULL)
        return NULL;
    struct config *c = calloc(1, sizeof *c); // LEAK config
    if (c == NULL)
        return NULL; // LOST file
    while (fgets(line, sizeof line, f) != NULL) {
        if (parse_line(c, line) < 0) { // ALSO setting; ALSO text
            fclose(f);
            return NULL; // LOST config; LOST setting; LOST text
        }
    }
    fclose(f);
    return c;
}
