// popen goes with pclose; fdopen takes the descriptor only when it succeeds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int first_word(const char *command, char *out, int n) {
    FILE *p = popen(command, "r"); // OK
    if (p == NULL)
        return -1;
    int ok = fgets(out, n, p) != NULL;
    int status = pclose(p);
    return ok ? status : -1;
}

int not_closed_when_empty(const char *command, char *out, int n) {
    FILE *p = popen(command, "r"); // RESOURCE-LEAK pipe
    if (p == NULL)
        return -1;
    if (fgets(out, n, p) == NULL)
        return -1; // LOST pipe
    return pclose(p);
}

FILE *descriptor_lost_when_fdopen_fails(const char *path) {
    int fd = open(path, O_RDONLY); // RESOURCE-LEAK fd
    if (fd < 0)
        return NULL;
    FILE *f = fdopen(fd, "r"); // OK
    if (f == NULL)
        return NULL; // LOST fd
    return f;
}

FILE *descriptor_closed_when_fdopen_fails(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0)
        return NULL;
    FILE *f = fdopen(fd, "r"); // OK
    if (f == NULL)
        close(fd);
    return f;
}

int closed_through_the_stream(const char *path) {
    int fd = open(path, O_RDONLY); // OK
    if (fd < 0)
        return -1;
    FILE *f = fdopen(fd, "r"); // OK
    if (f == NULL) {
        close(fd);
        return -1;
    }
    int c = getc(f);
    fclose(f);
    return c;
}
