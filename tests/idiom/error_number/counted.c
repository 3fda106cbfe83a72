// Errors that a global counts: a function compares the count with what it was before a call whose code is
// not there.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

extern int errors;
extern int verbose;
int parse(const char *text);
int declare(const char *name);

int name_lost_when_an_error_was_counted(const char *text)
{
    int before = errors;
    char *name = strdup(text); // LEAK name LIKELY
    if (!name)
        return -1;
    parse(text);
    if (errors != before)
        return -1; // LOST name
    declare(name);
    free(name);
    return 0;
}

int name_freed_either_way(const char *text)
{
    int before = errors, status = 0;
    char *name = strdup(text); // OK
    if (!name)
        return -1;
    parse(text);
    if (errors != before)
        status = -1;
    else
        declare(name);
    free(name);
    return status;
}

// A switch that is asked twice says the same.
int made_and_freed_by_one_switch(const char *text)
{
    char *name = NULL;
    if (verbose)
        name = strdup(text); // OK
    parse(text);
    if (verbose)
        free(name);
    return 0;
}
