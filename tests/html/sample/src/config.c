/* Reads "key = value" files into a list of entries, the newest first. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 4096

static struct entry *entry_new(const char *key, size_t len)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return NULL;
    e->key = strndup(key, len);
    e->value = NULL;
    e->next = NULL;
    return e;
}

static void entry_free(struct entry *e)
{
    free(e->key);
    free(e->value);
    free(e);
}

/* The text between the quotes, or up to the end of the line. */
static int parse_value(struct entry *e, const char *text)
{
    size_t len = strlen(text);
    if (len > 0 && text[len - 1] == '\n')
        len--;
    if (*text == '"') {
        if (len < 2 || text[len - 1] != '"')
            return -EINVAL;
        text++, len -= 2;
    }
    e->value = strndup(text, len);
    return e->value ? 0 : -ENOMEM;
}

int config_read(struct config *c, const char *path)
{
    char line[LINE_MAX_BYTES];
    FILE *in = fopen(path, "r");
    if (!in)
        return -errno;

    while (fgets(line, sizeof line, in)) {
        char *equals = strchr(line, '=');
        if (line[0] == '#' || !equals)
            continue;

        struct entry *e = entry_new(line, (size_t)(equals - line));
        if (!e) {
            fclose(in);
            return -ENOMEM;
        }
        int status = parse_value(e, equals + 1);
        if (status < 0) {
            fprintf(stderr, "%s: bad value for '%s'\n", path, e->key);
            c->errors++;
            if (c->strict)
                return status;
            entry_free(e);
            continue;
        }
        e->next = c->first;
        c->first = e;
        c->count++;
    }
    fclose(in);
    return 0;
}

void config_drop(struct config *c)
{
    while (c->first) {
        struct entry *next = c->first->next;
        free(c->first->value);
        free(c->first);
        c->first = next;
    }
    c->count = 0;
}

const char *config_get(const struct config *c, const char *key)
{
    for (const struct entry *e = c->first; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e->value;
    return NULL;
}
