// A text made for one call of a function without code: where its literal format asks for a string it is
// read, and nobody has it afterwards.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct log;
int log_line(struct log *log, const char *format, ...);
int log_add(struct log *log, char *text);

static char *copied(const char *text)
{
    return strdup(text);
}

void printed_and_lost(struct log *log, const char *name)
{
    log_line(log, "name %s, %d\n", copied(name), 7); // LEAK name; LOST name
}

void printed_and_freed(struct log *log, const char *name)
{
    char *copy = copied(name); // OK
    log_line(log, "name %s\n", copy);
    free(copy);
}

void added(struct log *log, const char *name)
{
    log_add(log, copied(name)); // OK
}

void printed_as_an_address(struct log *log, const char *name)
{
    log_line(log, "at %p\n", (void *)copied(name)); // OK: who prints where it is may keep it
}
