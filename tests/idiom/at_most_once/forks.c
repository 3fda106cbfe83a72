// A process that the function has begun comes to the places behind a fork that gave 0 once, however
// often its parent begins one. What its parent loses adds up, and so does what the child loses for each
// request.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int child_keeps_the_other_end(pid_t *pid, char **argv) {
    int ends[2];
    if (pipe(ends) != 0) // RESOURCE-LEAK ends ONCE because RUNS_ONCE
        return -1;
    if ((*pid = fork()) < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    } else if (!*pid) {
        dup2(ends[1], 1);
        close(ends[1]);
        if (argv[0] == NULL)
            return -2; // LOST ends
        execv(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    return ends[0];
}

int parent_keeps_the_other_end(pid_t *pid, char **argv) {
    int ends[2];
    if (pipe(ends) != 0) // RESOURCE-LEAK parent RECURS
        return -1;
    if ((*pid = fork()) < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    } else if (!*pid) {
        execv(argv[0], argv);
        _exit(127);
    }
    if (argv[0] == NULL)
        return -2; // LOST parent
    close(ends[1]);
    return ends[0];
}

static int set_up(const char *name) {
    char *copy = strdup(name); // LEAK set_up ONCE because RUNS_ONCE
    if (copy == NULL)
        return -1;
    return puts(copy) < 0; // LOST set_up
}

static int begin(void) {
    pid_t pid = fork();
    if (pid == 0)
        setsid();
    return pid;
}

int begin_by_own_function(const char *name) {
    switch (begin()) {
    case -1:
        return -1;
    case 0:
        return set_up(name);
    default:
        return 0;
    }
}

static int answer(const char *name) {
    char *copy = strdup(name); // LEAK answer RECURS
    if (copy == NULL)
        return -1;
    return puts(copy) < 0; // LOST answer
}

void begin_and_serve(FILE *requests) {
    char line[80];
    if (fork() == 0)
        while (fgets(line, sizeof line, requests) != NULL)
            answer(line);
}

static int note(const char *name) {
    char *copy = strdup(name); // LEAK note RECURS
    if (copy == NULL)
        return -1;
    return puts(copy) < 0; // LOST note
}

int noted_by_both(const char *name) {
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    return note(name);
}

int begin_many(FILE *names) {
    char line[80];
    while (fgets(line, sizeof line, names) != NULL) {
        pid_t pid = fork();
        if (pid != 0) {
            note(line);
            continue;
        }
        char *copy = strdup(line); // LEAK many ONCE because RUNS_ONCE
        if (copy != NULL)
            puts(copy);
        return 1; // LOST many
    }
    return 0;
}
