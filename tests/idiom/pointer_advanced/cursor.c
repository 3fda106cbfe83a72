// The only pointer to a block moves along it; free gets something else, or nothing.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

extern int apply(const char *);

int cursor_ends_as_null(const char *list) {
    char *cursor = strdup(list); // LEAK cursor
    char *word;
    int n = 0;
    if (cursor == NULL)
        return -1;
    while ((word = strsep(&cursor, ",")) != NULL) // LOST cursor
        n += apply(word);
    free(cursor);
    return n; // LOST cursor
}

int start_is_kept(const char *list) {
    char *start = strdup(list); // OK
    char *cursor = start, *word;
    int n = 0;
    if (start == NULL)
        return -1;
    while ((word = strsep(&cursor, ",")) != NULL)
        n += apply(word);
    free(start);
    return n;
}

int only_the_array_of_words_freed(const char *list) {
    char *copy = strdup(list); // LEAK copy
    char **words = calloc(16, sizeof *words); // OK
    int n = 0;
    if (copy == NULL || words == NULL) {
        free(copy);
        free(words);
        return -1;
    }
    for (char *w = strtok(copy, " "); w != NULL && n < 16; w = strtok(NULL, " "))
        words[n++] = w;
    for (int i = 0; i < n; i++)
        apply(words[i]);
    free(words);
    return n; // LOST copy
}

char *trimmed_in_place(const char *s) {
    char *copy = strdup(s); // OK
    if (copy == NULL)
        return NULL;
    char *p = copy;
    while (*p == ' ')
        p++;
    memmove(copy, p, strlen(p) + 1);
    return copy;
}
