// A file of settings that is read once, at the start: what the same keyword overwrites, given twice, is
// lost once. What is lost of every line adds up with the file, and so does a file that is read for
// each request.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int more(void);

static char *user, *group;

static int next(FILE *f, char *key, char *value) {
    return fscanf(f, "%63s %63s", key, value) == 2;
}

static void read_settings(const char *name) {
    char key[64], value[64];
    FILE *f = fopen(name, "r");
    if (f == NULL)
        return;
    while (next(f, key, value)) {
        if (strcmp(key, "user") == 0) {
            user = strdup(value); // LEAK user ONCE because RUNS_ONCE; LOST user
        } else if (strcmp(key, "group") == 0) {
            free(group);
            group = strdup(value); // OK
        } else {
            char *copy = strdup(key); // LEAK copy RECURS
            if (copy != NULL)
                puts(copy);
        } // LOST copy
    }
    fclose(f);
}

static char *answer;

static void read_request(const char *name) {
    char key[64], value[64];
    FILE *f = fopen(name, "r");
    if (f == NULL)
        return;
    while (next(f, key, value))
        if (strcmp(key, "answer") == 0)
            answer = strdup(value); // LEAK answer RECURS; LOST answer
    fclose(f);
}

static char *command;

static void read_input(void) {
    char key[64], value[64];
    while (next(stdin, key, value))
        if (strcmp(key, "command") == 0)
            command = strdup(value); // LEAK command RECURS; LOST command
}

int main(void) {
    read_settings("/etc/settings");
    while (more())
        read_request("/tmp/request"); // LEAK again RECURS; LOST again
    read_input();
    return user != NULL && group != NULL && answer != NULL && command != NULL;
}
