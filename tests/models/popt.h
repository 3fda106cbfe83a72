// Headers and fixtures for the recipes of popt.own.
#include "run.h"

#include <popt.h>
#include <stdio.h>
#include <stdlib.h>

static char *unused_text;
static struct poptOption options[] = {{"name", 'n', POPT_ARG_STRING, NULL, 1, "a name", "NAME"}, POPT_TABLEEND};
static const char *words[] = {"program", "--name", "value", "one", "two", NULL};
static const char *wrong_words[] = {"program", "--none", NULL};
static inline poptContext context(void) { return OWN(poptGetContext("program", 5, words, options, 0), poptFreeContext); }
static inline poptContext at_option(void)
{
    poptContext c = context();
    poptGetNextOpt(c);
    return c;
}
static inline poptContext at_end(void)
{
    poptContext c = context();
    while (poptGetNextOpt(c) > 0) free(poptGetOptArg(c));
    return c;
}
static inline poptContext at_wrong(void)
{
    poptContext c = OWN(poptGetContext("program", 2, wrong_words, options, 0), poptFreeContext);
    poptGetNextOpt(c);
    return c;
}
static inline FILE *stream(const char *s)
{
    FILE *f = OWN(fopen("x.conf", "w+"), fclose);
    fputs(s, f);
    rewind(f);
    return f;
}
