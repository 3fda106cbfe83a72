// What is handed to a function behind `...` and only ends up in vsnprintf or vfprintf, by whatever
// list, is borrowed: it is still to be freed.
// run: --level=likely
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *fmt, ...)
{
    char buf[100];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    fputs(buf, stderr);
}

int said(const char *s, const char *fmt)
{
    char *p = strdup(s); // LEAK said
    if (!p)
        return -1;
    say(fmt, p);
    if (p[0] == 'x')
        return 1; // LOST said
    free(p);
    return 0;
}

int said_and_freed(const char *s, const char *fmt)
{
    char *p = strdup(s); // OK
    if (!p)
        return -1;
    say(fmt, p);
    free(p);
    return 0;
}

// A list that is copied and handed on.
static void say_to(FILE *f, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    vfprintf(f, fmt, again);
    va_end(again);
}

static void complain(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say_to(stderr, fmt, ap);
    va_end(ap);
}

int complained(const char *s, const char *fmt)
{
    char *p = strdup(s); // LEAK complained
    if (!p)
        return -1;
    complain(fmt, 1, p);
    if (p[0] == 'x')
        return 1; // LOST complained
    free(p);
    return 0;
}

// Not seen, but a literal format says what is done with it.
void report(int level, const char *fmt, ...);

int reported(const char *s)
{
    char *p = strdup(s); // LEAK reported
    if (!p)
        return -1;
    report(3, "%5d: %-*s%%\n", 1, 20, p);
    if (p[0] == 'x')
        return 1; // LOST reported
    free(p);
    return 0;
}

void option(int number, ...);

int set_as_option(const char *s)
{
    char *p = strdup(s); // OK
    if (!p)
        return -1;
    option(7, p);
    return 0;
}

// Not seen, but it is given as a pointer to const.
struct arguments;
void push(struct arguments *a, ...);
int run(struct arguments *a);

static int run_with(struct arguments *a, const char *key)
{
    push(a, "-u", key, (char *)0);
    return run(a);
}

int run_with_a_copy(struct arguments *a, const char *s)
{
    char *key = strdup(s); // LEAK key
    if (!key)
        return -1;
    if (run_with(a, key))
        return -1; // LOST key
    free(key);
    return 0;
}

// What a list is read into is written: nothing else is lost by that.
static int scan(const char *text, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsscanf(text, fmt, ap);
    va_end(ap);
    return n;
}

int scanned(const char *s)
{
    int *n = calloc(1, sizeof *n); // LEAK scanned
    if (!n)
        return -1;
    scan(s, "%d", n);
    if (*n)
        return 1; // LOST scanned
    free(n);
    return 0;
}
