// Arguments that a function picks from behind `...` itself: read, kept, released, given back.
// run: --level=likely
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *first, ...)
{
    size_t n = strlen(first);
    va_list ap;
    va_start(ap, first);
    for (const char *s; (s = va_arg(ap, const char *));)
        n += strlen(s);
    va_end(ap);
    char *all = malloc(n + 1);
    if (!all)
        return NULL;
    strcpy(all, first);
    va_start(ap, first);
    for (const char *s; (s = va_arg(ap, const char *));)
        strcat(all, s);
    va_end(ap);
    return all;
}

int joined(const char *s)
{
    char *p = strdup(s); // LEAK part
    if (!p)
        return -1;
    char *q = join("/", p, "/", (char *)0);
    if (!q)
        return -1; // LOST part
    free(q);
    free(p);
    return 0;
}

int joined_and_freed(const char *s)
{
    char *p = strdup(s); // OK
    if (!p)
        return -1;
    char *q = join("/", p, "/", (char *)0); // OK
    free(q);
    free(p);
    return 0;
}

static char *table[10];

static void keep(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        table[i] = va_arg(ap, char *);
    va_end(ap);
}

int kept(const char *s)
{
    char *p = strdup(s); // OK
    if (!p)
        return -1;
    keep(1, p);
    return 0;
}

static void free_all(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    while (n--)
        free(va_arg(ap, char *));
    va_end(ap);
}

int all_freed(const char *s)
{
    char *p = strdup(s), *q = strdup(s); // OK
    free_all(2, p, q);
    return 0;
}

struct node {
    char *text;
    struct node *next;
};

static struct node *list(va_list ap)
{
    char *text = va_arg(ap, char *);
    if (!text)
        return NULL;
    struct node *n = malloc(sizeof *n); // OK
    if (!n)
        abort();
    n->text = text;
    n->next = list(ap);
    return n;
}

struct node *nodes(int unused, ...)
{
    va_list ap;
    va_start(ap, unused);
    struct node *n = list(ap);
    va_end(ap);
    return n;
}

struct node *in_a_list(const char *s)
{
    char *p = strdup(s); // OK
    if (!p)
        return NULL;
    return nodes(0, p, (char *)0);
}

static char *last(int n, ...)
{
    char *p = NULL;
    va_list ap;
    va_start(ap, n);
    while (n--)
        p = va_arg(ap, char *);
    va_end(ap);
    return p;
}

int freed_as_what_comes_back(const char *s)
{
    char *p = strdup(s); // OK
    if (!p)
        return -1;
    free(last(1, p));
    return 0;
}

// The struct that an argument points to gets another string.
static void rename_it(int what, ...)
{
    va_list ap;
    va_start(ap, what);
    struct node *n = va_arg(ap, struct node *);
    va_end(ap);
    free(n->text);
    n->text = NULL;
}

int renamed(const char *s)
{
    struct node n = {strdup(s), NULL}; // OK
    rename_it(1, &n);
    return 0;
}
