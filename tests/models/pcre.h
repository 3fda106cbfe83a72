// Headers and fixtures for the recipes of pcre.own.
#include "run.h"

#include <pcre.h>
#include <stdlib.h>

#define PATTERN "(?<first>a)(b)"
static inline void drop_pcre(void *p) { pcre_free(p); }
static inline pcre *code(void)
{
    const char *e;
    int at;
    return OWN(pcre_compile(PATTERN, 0, &e, &at, NULL), drop_pcre);
}
static inline pcre_extra *study(void)
{
    const char *e;
    return OWN(pcre_study(code(), PCRE_STUDY_EXTRA_NEEDED, &e), pcre_free_study);
}
static inline int *matched(void)
{
    int *v = block(30 * sizeof *v);
    pcre_exec(code(), NULL, "ab", 2, 0, 0, v, 30);
    return v;
}
static inline const char *substring(void)
{
    const char *s;
    pcre_get_substring("ab", matched(), 3, 1, &s);
    return OWN(s, pcre_free_substring);
}
static inline const char **list(void)
{
    const char **l;
    pcre_get_substring_list("ab", matched(), 3, &l);
    return OWN(l, pcre_free_substring_list);
}
