#include <stdlib.h>
#include <string.h>
int use(const char *);
int load(const char *path, int depth)
{
    char *copy = strdup(path);
    if (copy == NULL)
        return -1;
    if (depth > 8)
        return -1;
    int n = use(copy);
    free(copy);
    return n;
}
