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

struct value {
    char *text;
    long length;
};

int set_value(struct value *v, const char *text, int n)
{
    char *first = malloc(4); // OK
    if (first == NULL)
        return -1;
    free(v->text);
    v->text = first;
    if (n != v->length) {
        v->text = realloc(v->text, n); // OK
        v->length = n;
        v->text[n - 1] = '\0';
        strncpy(v->text, text, n - 1);
    }
    return 0;
}
