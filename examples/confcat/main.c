#include "conf.h"

#include <stdio.h>

// Prints the settings of one file; false when it cannot be read.
static int print_file(const char *path)
{
    struct conf *c = conf_new();
    if (c == NULL || conf_read(c, path, 0) < 0) {
        conf_free(c);
        return 0;
    }
    for (const struct setting *s = c->settings; s != NULL; s = s->next)
        printf("%s = %s\n", s->key, s->value);
    conf_free(c);
    return 1;
}

// Names of files come line by line: one that cannot be read is told, and the next is tried.
int main(void)
{
    char path[4096];
    int failed = 0;
    while (scanf(" %4095[^\n]", path) == 1) {
        if (print_file(path)) continue;
        fprintf(stderr, "confcat: cannot read %s\n", path);
        failed = 1;
    }
    return failed;
}
