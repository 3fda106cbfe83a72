// Strings built step by step: concatenation makes a new block and must drop the old.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *concat(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    char *p = malloc(n + m + 1); // LEAK step; LEAK printed; LEAK nested
    if (p == NULL)
        abort();
    memcpy(p, a, n);
    memcpy(p + n, b, m + 1);
    return p;
}

char *joined(const char **words, int n) {
    char *all = concat("", "");
    for (int i = 0; i < n; i++) {
        char *next = concat(all, words[i]);
        free(all);
        all = next;
    }
    return all;
}

char *joined_losing_each_step(const char **words, int n) {
    char *all = concat("", ""); // LEAK step
    for (int i = 0; i < n; i++)
        all = concat(all, words[i]); // LOST step; LEAK step
    return all;
}

void printed_without_a_name(const char *s) {
    printf("%s\n", concat(s, "!")); // LEAK printed; LOST printed
} // LOST printed

char *nested_calls(const char *a, const char *b, const char *c) {
    return concat(concat(a, b), c); // LEAK nested; LOST nested
}

char *nested_calls_with_a_name(const char *a, const char *b, const char *c) {
    char *ab = concat(a, b);
    char *abc = concat(ab, c);
    free(ab);
    return abc;
}

int compared_without_a_name(const char *a, const char *b) {
    char *ab = concat(a, b);
    int r = strcmp(ab, a);
    free(ab);
    return r;
}
