// What is lost on the way to the end of the program: the result tells all callers to give up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *temporary(char *name) {
    int fd = mkstemp(name); // OK likely: both callers end the program
    if (fd == -1)
        return NULL;
    return fdopen(fd, "w");
}

void first_user(char *name) {
    FILE *f = temporary(name);
    if (f == NULL) {
        perror(name);
        exit(1);
    }
    fputs("first\n", f);
    fclose(f);
}

static int write_second(char *name) {
    FILE *f = temporary(name);
    if (f == NULL)
        return -2;
    fputs("second\n", f);
    fclose(f);
    return 0;
}

void second_user(char *name) {
    switch (write_second(name)) {
    case 0:
        break;
    case -2:
        abort();
    default:
        return;
    }
}

static FILE *another(char *name) {
    int fd = mkstemp(name); // RESOURCE-LEAK descriptor
    if (fd == -1)
        return NULL;
    return fdopen(fd, "w"); // LOST descriptor
}

void third_user(char *name) {
    FILE *f = another(name);
    if (f == NULL) {
        perror(name);
        exit(1);
    }
    fclose(f);
}

void goes_on(char *name) {
    FILE *f = another(name);
    if (f == NULL)
        return;
    fclose(f);
}

static FILE *tried_again(char *name) {
    int fd = mkstemp(name); // RESOURCE-LEAK again
    if (fd == -1)
        return NULL;
    return fdopen(fd, "w"); // LOST again
}

void tries(char *name) {
    for (;;) {
        FILE *f = tried_again(name);
        if (f != NULL)
            exit(fclose(f));
        sleep(1);
    }
}
