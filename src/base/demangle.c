// The C++ runtime's own demangler, with a bound on what it is given.
#include "base/demangle.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

enum { LONGEST = 8192 };

char *demangle(const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) != 0 || strlen(symbol) > LONGEST) return NULL;
    int status;
    char *text = __cxa_demangle(symbol, NULL, NULL, &status);
    char *copy = text ? mem_printf("%s", text) : NULL;
    free(text);
    return copy;
}
