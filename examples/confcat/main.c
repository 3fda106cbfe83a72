#include "conf.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: confcat FILE [KEY...]\n");
        return 2;
    }
    struct conf *c = conf_new();
    if (c == NULL || conf_read(c, argv[1], 0) < 0) {
        conf_free(c);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        const char *value = conf_get(c, argv[i]);
        printf("%s = %s\n", argv[i], value == NULL ? "(none)" : value);
    }
    if (argc == 2) {
        for (const struct setting *s = c->settings; s != NULL; s = s->next)
            printf("%s = %s\n", s->key, s->value);
    }
    conf_free(c);
    return 0;
}
