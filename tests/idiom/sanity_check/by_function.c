// A check of the program's own that reports the failed expression with the function's name, and goes on. What
// callers pass and what stands in memory it takes to be as it has to be; a call that has failed is an error like
// any other.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int strict;

void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    if (strict)
        abort();
}

#define check(x, otherwise) \
    do { \
        if (x) { \
        } else { \
            report("'%s' not true at %s\n", #x, __func__); \
            otherwise; \
        } \
    } while (0)

struct lower {
    int (*call)(struct lower *, const char *);
};
struct upper {
    struct lower *lower;
    char *name;
};
char *make(const char *name);

int never_without_function(struct upper *u)
{
    int (*call)(struct lower *, const char *) = u->lower->call;
    char *text = malloc(128); // LEAK text AUDIT because UNEXPECTED
    if (!text)
        abort();
    check(call != NULL, return -1); // LOST text
    snprintf(text, 128, "%d", strict);
    int n = call(u->lower, text);
    free(text);
    return n;
}

int sometimes_without_function(struct upper *u)
{
    int (*call)(struct lower *, const char *) = u->lower->call;
    char *text = malloc(128); // LEAK quiet SURE
    if (!text)
        abort();
    if (!call)
        return -1; // LOST quiet
    snprintf(text, 128, "%d", strict);
    int n = call(u->lower, text);
    free(text);
    return n;
}

int what_a_call_gives(struct upper *u)
{
    char *text = malloc(128); // LEAK given SURE
    if (!text)
        abort();
    char *made = make(u->name);
    check(made != NULL, return -1); // LOST given
    u->name = made;
    free(text);
    return 0;
}

int what_was_just_made(struct upper *u)
{
    char *text = malloc(128); // LEAK just SURE
    if (!text)
        abort();
    u->name = make(u->name);
    check(u->name != NULL, return -1); // LOST just
    free(text);
    return 0;
}

int a_message(struct upper *u, int n)
{
    char *text = malloc(128); // LEAK message SURE
    if (!text)
        abort();
    if (n < 0) {
        report("%s: no such number %d\n", __func__, n);
        return -1; // LOST message
    }
    u->name = text;
    return 0;
}
