// Overwritten by null, which is written through next: there is nothing after that.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lines_of(FILE *f, char ***lines, int *count)
{
    char buf[80];
    *count = 0;
    *lines = NULL;
    while (fgets(buf, sizeof buf, f)) {
        (*count)++;
        *lines = realloc(*lines, sizeof(**lines) * *count); // OK
        (*lines)[*count - 1] = strdup(buf);                 // OK
    }
}

int lines_or_none(FILE *f, char ***lines, int *count)
{
    char buf[80];
    *count = 0;
    *lines = NULL;
    while (fgets(buf, sizeof buf, f)) {
        (*count)++;
        *lines = realloc(*lines, sizeof(**lines) * *count); // LEAK lines
        if (*lines == NULL)
            return -1;
        (*lines)[*count - 1] = strdup(buf); // ALSO text
    }
    return 0;
}
