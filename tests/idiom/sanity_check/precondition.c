// Checks of what the program takes to be impossible, which report it and go on: what is lost behind
// the report is no leak that a process meets. One that says nothing is an ordinary test.
#include <stdlib.h>
#include <string.h>

void g_return_if_fail_warning(const char *domain, const char *function, const char *expression);
void g_warn_message(const char *domain, const char *file, int line, const char *function,
                    const char *expression);
#define check(x) \
    do { \
        if (!(x)) { \
            g_return_if_fail_warning("here", __func__, #x); \
            return NULL; \
        } \
    } while (0)
#define warn(x) \
    do { \
        if (!(x)) \
            g_warn_message("here", __FILE__, __LINE__, __func__, #x); \
    } while (0)

struct item {
    char *name;
    int kind;
};

struct item *never_without_kind(const char *name, int kind)
{
    struct item *i = malloc(sizeof *i); // LEAK item AUDIT because UNEXPECTED
    if (!i)
        return NULL;
    i->name = NULL;
    check(kind > 0); // LOST item
    i->kind = kind;
    (void)name;
    return i;
}

struct item *sometimes_without_kind(const char *name, int kind)
{
    struct item *i = malloc(sizeof *i); // LEAK kind SURE
    if (!i)
        return NULL;
    i->name = NULL;
    if (kind <= 0)
        return NULL; // LOST kind
    i->kind = kind;
    (void)name;
    return i;
}

int warned_and_on(const char *name, int kind)
{
    char *copy = strdup(name); // LEAK copy SURE
    if (!copy)
        return -1;
    warn(kind > 0);
    return copy[0] == '-'; // LOST copy
}
