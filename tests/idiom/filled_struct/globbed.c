// A struct that the program zeroed and the library filled: what it leads to is there, and the paths
// behind a look at it are taken.
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

struct job {
    int number;
    glob_t found;
    char *name;
};

int found_in_a_block(const char *pattern)
{
    struct job *j = calloc(1, sizeof *j); // LEAK job
    if (!j)
        return -1;
    if (glob(pattern, 0, NULL, &j->found)) {
        free(j);
        return -1;
    }
    if (j->found.gl_pathv[0][0] == 'x') {
        globfree(&j->found);
        return 1; // LOST job
    }
    globfree(&j->found);
    free(j->name); // null still
    free(j);
    return 0;
}

int found_in_a_variable(const char *pattern)
{
    glob_t found;
    memset(&found, 0, sizeof found);
    char *copy = strdup(pattern); // LEAK copy
    if (!copy)
        return -1;
    if (glob(copy, 0, NULL, &found)) {
        free(copy);
        return -1;
    }
    if (found.gl_pathv[0][0] == 'x') {
        globfree(&found);
        return 1; // LOST copy
    }
    globfree(&found);
    free(copy);
    return 0;
}

int words_and_all_freed(const char *text)
{
    wordexp_t words = {0};
    char *copy = strdup(text); // OK
    if (!copy)
        return -1;
    if (wordexp(copy, &words, 0)) {
        free(copy);
        return -1;
    }
    int x = words.we_wordv[0][0] == 'x';
    wordfree(&words);
    free(copy);
    return x;
}
