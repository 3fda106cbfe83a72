// A line that is made larger in a loop within a loop: each round has a block of its own, and the many paths
// on which the newest one is owned are joined without forgetting that it is.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int forgotten_when_it_is_found(const char *key, FILE *in)
{
    int size = 256, length, found = 0;
    char *line = malloc(size); // LEAK found LIKELY
    if (!line)
        return -1;
    while (fgets(line, size, in) != NULL) {
        length = strlen(line);
        while (line[length - 1] != '\n' && !feof(in)) {
            size *= 2;
            char *more = realloc(line, size); // LEAK found
            if (more == NULL)
                goto fail;
            line = more;
            if (fgets(&line[length], size / 2, in) == NULL)
                break;
            length = strlen(line);
        }
        if (!strncmp(line, key, 4))
            found = 1;
    }
    if (!found)
        goto fail;
    return 0; // LOST found
fail:
    free(line);
    return -1;
}

int freed_on_both_ways(const char *key, FILE *in)
{
    int size = 256, length, found = 0;
    char *line = malloc(size); // OK
    if (!line)
        return -1;
    while (fgets(line, size, in) != NULL) {
        length = strlen(line);
        while (line[length - 1] != '\n' && !feof(in)) {
            size *= 2;
            char *more = realloc(line, size); // OK
            if (more == NULL)
                goto fail;
            line = more;
            if (fgets(&line[length], size / 2, in) == NULL)
                break;
            length = strlen(line);
        }
        if (!strncmp(line, key, 4))
            found = 1;
    }
    if (!found)
        goto fail;
    free(line);
    return 0;
fail:
    free(line);
    return -1;
}

int step(const char *text, int round);

int copy_of_a_later_round(const char **texts, int count)
{
    char *last = NULL;
    int i, status = 0;
    for (i = 0; i < count; i++) {
        char *copy = strdup(texts[i]); // LEAK copy
        if (copy == NULL) {
            status = -1;
            break;
        }
        if (step(copy, i) == 3) {
            free(last);
            return -1; // LOST copy
        }
        if (step(copy, i + 1) == 4)
            status++;
        if (step(copy, i + 2) == 5)
            status += 2;
        if (step(copy, i + 3) == 6)
            status += 4;
        free(last);
        last = copy;
    }
    free(last);
    return status;
}

int copies_freed(const char **texts, int count)
{
    char *last = NULL;
    int i, status = 0;
    for (i = 0; i < count; i++) {
        char *copy = strdup(texts[i]); // OK
        if (copy == NULL) {
            status = -1;
            break;
        }
        if (step(copy, i) == 3) {
            free(copy);
            free(last);
            return -1;
        }
        if (step(copy, i + 1) == 4)
            status++;
        if (step(copy, i + 2) == 5)
            status += 2;
        if (step(copy, i + 3) == 6)
            status += 4;
        free(last);
        last = copy;
    }
    free(last);
    return status;
}
