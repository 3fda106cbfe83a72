// A program's own function with a library function's name, but other parameters: it comes back.
#include <regex.h>
#include <stdlib.h>

int error(const char *format, ...);

struct patterns {
    regex_t **at;
    size_t len;
};

int pattern_lost(struct patterns *p, const char *text)
{
    regex_t *r = malloc(sizeof *r); // LEAK refused
    if (!r) abort();
    if (regcomp(r, text, 0)) return error("bad pattern %s", text); // LOST refused
    p->at[p->len++] = r;
    return 0;
}

int pattern_freed(struct patterns *p, const char *text)
{
    regex_t *r = malloc(sizeof *r);
    if (!r) abort();
    if (regcomp(r, text, 0)) {
        free(r);
        return error("bad pattern %s", text);
    }
    p->at[p->len++] = r;
    return 0;
}
