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

static void run_program(const char *const *names, int count, char **argv) {
    for (int i = 0; i < count; i++) {
        char *copy = strdup(names[i]); // OK once: another program runs next
        if (copy == NULL)
            _exit(126);
        puts(copy);
    }
    execv(argv[0], argv);
    _exit(127);
}

static int look_at_all(const char *const *names, int count) {
    int bad = 0;
    for (int i = 0; i < count; i++) {
        char *copy = strdup(names[i]); // LEAK looked
        if (copy == NULL)
            return -1;
        bad += puts(copy) < 0;
    } // LOST looked
    return bad;
}

int start_with(const char *const *names, int count, char **argv) {
    pid_t pid = fork();
    if (pid == 0)
        run_program(names, count, argv);
    return pid < 0 ? look_at_all(names, count) : 0;
}
