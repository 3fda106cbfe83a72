// Text appended at an unknown offset may be anywhere in the block, also at its start.
#include <stdlib.h>
#include <string.h>

void searched_to_the_end(const char *more) {
    char *p = malloc(100);
    if (p == NULL)
        exit(1);
    p[0] = '\0';
    size_t n = strlen(p);
    strncat(p + n, more, 100 - n - 1);
    for (; *p != '\0'; p++)
        if (*p == ':')
            break;
    free(p); // INVALID-FREE LIKELY because UNDECIDED
}

void searched_by_index(const char *more) {
    char *p = malloc(100); // OK
    if (p == NULL)
        exit(1);
    p[0] = '\0';
    size_t n = strlen(p), i = 0;
    strncat(p + n, more, 100 - n - 1);
    for (; p[i] != '\0'; i++)
        if (p[i] == ':')
            break;
    free(p);
}
