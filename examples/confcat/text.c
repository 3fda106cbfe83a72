#include "conf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *text_trim(const char *start, const char *end)
{
    while (start < end && isspace((unsigned char)*start))
        start++;
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    return strndup(start, end - start);
}

char *text_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t dir = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    size_t n = strlen(name);
    char *joined = malloc(dir + n + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, dir);
    memcpy(joined + dir, name, n + 1);
    return joined;
}
