// A resource inside a struct of the caller's, released by a function of one's own, alone and as an
// array of them.
#include <regex.h>
#include <stdlib.h>

static void drop(regex_t *r) {
    regfree(r);
}

int dropped(const char *pattern) {
    regex_t r;
    if (regcomp(&r, pattern, REG_EXTENDED) != 0) // OK
        return 1;
    drop(&r);
    return 0;
}

int forgotten(const char *pattern) {
    regex_t r;
    if (regcomp(&r, pattern, REG_EXTENDED) != 0) // LEAK pattern
        return 1;
    return 0; // LOST pattern
}

static void free_list(regex_t *list, int count) {
    for (int i = 0; i < count; i++)
        regfree(&list[i]);
    free(list);
}

regex_t *compiled(int count, char **patterns) {
    regex_t *list = malloc(sizeof *list * count);
    if (list == NULL)
        return NULL;
    for (int i = 0; i < count; i++) {
        if (regcomp(&list[i], patterns[i], REG_EXTENDED) != 0) { // OK
            free_list(list, i);
            return NULL;
        }
    }
    return list;
}

int two_of_them(char **patterns, int which) {
    regex_t *list = malloc(sizeof *list * 2);
    if (list == NULL)
        return -1;
    if (regcomp(&list[0], patterns[0], REG_EXTENDED) != 0) { // LEAK first
        free(list);
        return -1;
    }
    if (regcomp(&list[1], patterns[1], REG_EXTENDED) != 0) { // OK
        free(list); // LOST first
        return -1;
    }
    int result = list[which].re_nsub > 0;
    free_list(list, 2);
    return result;
}
