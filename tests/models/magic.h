// Headers and fixtures for the recipes of magic.own.
#include "run.h"

#include <fcntl.h>
#include <magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void make_rules(void)
{
    FILE *f = fopen("rules", "w");
    fputs("0\tstring\talpha\tGreek text\n", f);
    fclose(f);
}
static inline magic_t cookie(void) { return OWN(magic_open(0), magic_close); }
static inline magic_t loaded(void)
{
    magic_t m = cookie();
    make_rules();
    magic_load(m, "rules");
    return m;
}
static inline magic_t failing(void)
{
    magic_t m = loaded();
    magic_file(m, "none/such");
    magic_load(m, "none/such");
    return m;
}
static inline int opened(void)
{
    int fd = open("in", O_RDONLY);
    return OWN(fd, close);
}
