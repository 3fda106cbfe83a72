// What a pure function says twice of the same thing is the same; the bytes of string literals are
// known.
#include <stdlib.h>
#include <string.h>

static const char *translated(const char *text) {
    if (!*text)
        return NULL;
    return text;
}

static int holds(char **home, char *text, size_t size, int used) {
    if (used < 0 || (size && (size_t)used > size))
        return 0;
    *home = text;
    return 1;
}

void kept_because_it_fits(const char *s, char **home) {
    holds(home, strdup(s), strlen(s), strlen(s)); // OK
}

void freed_when_the_first_test_says_so(const char *s) {
    char *p = malloc(8);
    if (strcmp(s, "on") != 0)
        free(p);
    if (strcmp(s, "on") == 0)
        free(p);
}

void forgotten_when_the_answer_may_differ(char *s) {
    char *p = malloc(8); // LEAK differs
    if (strcmp(s, "on") != 0)
        free(p);
    s[0] = 'x';
    if (strcmp(s, "on") == 0)
        p = NULL; // LOST differs
} // LOST differs

void freed_because_the_text_is_not_empty(void) {
    char *p = malloc(8);
    if (translated("no"))
        free(p);
}

void forgotten_because_the_text_is_empty(void) {
    char *p = malloc(8); // LEAK empty
    if (translated(""))
        free(p);
} // LOST empty
