// Functions that cannot go on without memory: what lies behind them is not reached with null.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int written_before_it_is_asked(char *path, const char *text) {
    int fd = mkstemp(path); // OK
    if (fd == -1)
        return -1;
    FILE *f = fdopen(fd, "w");
    if (fputs(text, f) < 0) {
        fclose(f);
        return -1;
    }
    fclose(f);
    return 0;
}

int asked_before_it_is_written(char *path, const char *text) {
    int fd = mkstemp(path); // RESOURCE-LEAK descriptor
    if (fd == -1)
        return -1;
    FILE *f = fdopen(fd, "w");
    if (f == NULL)
        return -1; // LOST descriptor
    fputs(text, f);
    fclose(f);
    return 0;
}

int measured_before_it_is_asked(const char *text) {
    char *copy = malloc(strlen(text) + 1); // OK
    if (copy == NULL)
        return -1;
    if (text == NULL)
        return -2;
    free(copy);
    return 0;
}
