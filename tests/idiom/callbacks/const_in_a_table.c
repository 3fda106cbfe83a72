// A function of a table that a global leads to: its type says that it gets a pointer to const, and it
// borrows what it is given, whoever has put it there.
#include <stdlib.h>
#include <string.h>

struct text;

struct format {
    const char *name;
    int (*sign)(struct text *text, const char *key);
    int (*adopt)(struct text *text, char *key);
};

struct format *format_used;
struct format formats[4];

void format_set(struct format *f)
{
    format_used = f;
}

int key_forgotten(struct text *text, const char *name)
{
    char *key = strdup(name); // LEAK key LIKELY because UNDECIDED
    if (format_used->sign(text, key) != 0)
        return -1; // LOST key
    free(key);
    return 0;
}

int key_freed(struct text *text, const char *name)
{
    char *key = strdup(name); // OK
    int status = format_used->sign(text, key);
    free(key);
    return status;
}

int key_forgotten_in_an_array(struct text *text, const char *name)
{
    char *key = strdup(name); // LEAK third LIKELY because UNDECIDED
    if (formats[2].sign(text, key) != 0)
        return -1; // LOST third
    free(key);
    return 0;
}

int key_adopted(struct text *text, const char *name)
{
    char *key = strdup(name); // OK
    if (format_used->adopt(text, key) != 0)
        return -1;
    return 0;
}
