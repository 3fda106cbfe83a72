// False positive of Saber: the argument vector need not be freed when the process is replaced, and
// unknown code may keep what it is given.
#include <stdlib.h>
#include <unistd.h>

extern void run_program(char *path, char **argv);

void replaced_or_gone(char *path, int argc) {
    char **argv = calloc(argc + 3, sizeof *argv); // OK
    if (argv == NULL)
        _exit(1);
    argv[0] = path;
    execv(path, argv);
    _exit(127);
}

void handed_to_unknown_code(char *path, int argc) {
    char **argv = calloc(argc + 3, sizeof *argv); // OK
    if (argv == NULL)
        return;
    argv[0] = path;
    run_program(path, argv);
}

int lost_when_the_program_cannot_run(char *path, int argc) {
    char **argv = calloc(argc + 3, sizeof *argv); // LEAK argv
    if (argv == NULL)
        return -1;
    argv[0] = path;
    execv(path, argv);
    return -1; // LOST argv
}

int freed_when_the_program_cannot_run(char *path, int argc) {
    char **argv = calloc(argc + 3, sizeof *argv); // OK
    if (argv == NULL)
        return -1;
    argv[0] = path;
    execv(path, argv);
    free(argv);
    return -1;
}
