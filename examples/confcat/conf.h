// A reader of configuration files: `key = value` lines, `include FILE`, `#` comments.
#ifndef CONF_H
#define CONF_H

#include <stddef.h>

struct setting {
    struct setting *next;
    char *key;
    char *value;
};

struct conf {
    struct setting *settings;
    int count;
};

struct conf *conf_new(void);
void conf_free(struct conf *c);
int conf_set(struct conf *c, const char *key, const char *value);
const char *conf_get(const struct conf *c, const char *key);

// Reads a file and what it includes; -1 with a message on stderr when something is wrong.
int conf_read(struct conf *c, const char *path, int depth);

// Copies of parts of a line: without the blanks around it, and a path beside another.
char *text_trim(const char *start, const char *end);
char *text_beside(const char *path, const char *name);

#endif
