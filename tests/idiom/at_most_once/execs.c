// A child that becomes another program or ends has what it lost no longer, however often the parent
// forks; what the parent obtains for it stays with the parent. What is handed to a function that does
// not return is lost once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int more(void);

static void prepare(const char *name) {
    char *copy = strdup(name); // LEAK prepared ONCE because RUNS_ONCE
    if (copy != NULL && chdir(copy) < 0)
        perror(copy);
} // LOST prepared

static void prepare_here(const char *name) {
    char *copy = strdup(name); // LEAK here RECURS
    if (copy != NULL && chdir(copy) < 0)
        perror(copy);
} // LOST here

static void start(const char *name) {
    switch (fork()) {
    case -1:
        perror(name);
        return;
    case 0:
        prepare(name);
        execl("/bin/helper", "helper", (char *)NULL);
        _exit(127);
    default:
        prepare_here(name);
    }
}

static void start_with_argument(const char *name) {
    char *argument = malloc(strlen(name) + 20); // LEAK argument RECURS
    if (argument == NULL)
        return;
    sprintf(argument, "--name=%s", name);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/helper", "helper", argument, (char *)NULL);
        _exit(127);
    }
} // LOST argument

static void die(const char *text) {
    fputs(text, stderr);
    exit(1);
}

static char *message(int n) {
    char *text = malloc(40); // OK: who asks for it ends the program
    if (text != NULL)
        sprintf(text, "number %d is wrong\n", n);
    return text;
}

int main(int argc, char **argv) {
    for (int n = 0; more(); n++) {
        start(argv[0]);
        start_with_argument(argv[0]);
        if (n > argc)
            die(message(n));
    }
    return 0;
}
