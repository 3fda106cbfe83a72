// getline may move the block to make room: what pointed into the line before is stale then.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int first_letters_differ(FILE *f)
{
    char *line = NULL, *before;
    size_t room = 0;
    int differ = 0;
    if (getline(&line, &room, f) > 0) {
        before = line;
        if (getline(&line, &room, f) > 0) differ = before[0] != line[0]; // USE-AFTER-FREE
    }
    free(line);
    return differ;
}

int first_letters_copied(FILE *f)
{
    char *line = NULL, before;
    size_t room = 0;
    int differ = 0;
    if (getline(&line, &room, f) > 0) { // OK
        before = line[0];
        if (getline(&line, &room, f) > 0) differ = before != line[0];
    }
    free(line);
    return differ;
}

void chain_of_names(const char *name)
{
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; i < 4; i++) {
        FILE *f = fopen(name, "r"); // OK
        if (!f) break;
        ssize_t n = getdelim(&line, &room, '\n', f); // OK
        fclose(f);
        if (n <= 0) break;
        line[n - 1] = 0;
        printf("%s: %s\n", name, line); // USE-AFTER-FREE
        name = line + 2;
    }
    free(line);
}

void never_freed(FILE *f)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, f) > 0) puts(line); // LEAK line
} // LOST line
