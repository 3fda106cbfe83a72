// What a child loses just before it ends is likely only; the same in a process that goes on is sure.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_child(const char *name) {
    char *copy = strdup(name); // OK likely: its only caller ends the process
    if (copy == NULL)
        return 1;
    return puts(copy) < 0;
}

static int run_here(const char *name) {
    char *copy = strdup(name); // LEAK here
    if (copy == NULL)
        return 1;
    return puts(copy) < 0; // LOST here
}

int start(const char *name) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_child(name));
    return pid < 0 ? run_here(name) : 0;
}
