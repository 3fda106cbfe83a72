// One function for several variables, chosen by a name that it looks up.
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"first", "second", "last", NULL};
static char *first, *second, *last;

static int find(const char *const *table, const char *text, size_t n)
{
    for (int i = 0; table[i]; i++)
        if (strlen(table[i]) == n && memcmp(table[i], text, n) == 0)
            return i;
    return -1;
}

static void set(const char *text)
{
    const char *value = strchr(text, '=');
    if (!value)
        exit(1);
    switch (find(names, text, value - text)) {
    case 0:
        first = strdup(value + 1);
        break;
    case 1:
        second = strdup(value + 1);
        break;
    case 2:
        last = strdup(value + 1);
        break;
    default:
        exit(1);
    }
}

void each_has_its_own(void)
{
    set("first=a");  // OK
    set("second=b"); // OK
    set("last=c");   // OK
}

int known_elsewhere(const char *name);

static void set_by_name(const char *name)
{
    switch (known_elsewhere(name)) {
    case 0:
        first = strdup(name);
        break;
    case 1:
        second = strdup(name);
        break;
    default:
        last = strdup(name);
    }
}

// How the names are told apart is not known: a replay may choose the same place for both.
void each_has_its_own_by_name(void)
{
    set_by_name("a"); // OK
    set_by_name("b"); // OK
}

static char *only;

static void set_only(const char *text)
{
    only = strdup(text);
}

void the_same_again(void)
{
    set_only("a"); // LEAK one
    set_only("b"); // LOST one
}
