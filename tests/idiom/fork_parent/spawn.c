// After fork the parent still owns what the child needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int argument_lost_in_the_parent(const char *target) {
    char *arg = malloc(strlen(target) + 20); // LEAK arg
    if (arg == NULL)
        return -1;
    sprintf(arg, "--target=%s", target);
    pid_t pid = fork();
    if (pid < 0) {
        free(arg);
        return -1;
    }
    if (pid == 0) {
        execl("/bin/helper", "helper", arg, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    return status; // LOST arg
}

int argument_freed_in_the_parent(const char *target) {
    char *arg = malloc(strlen(target) + 20); // OK
    if (arg == NULL)
        return -1;
    sprintf(arg, "--target=%s", target);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/helper", "helper", arg, (char *)NULL);
        _exit(127);
    }
    free(arg);
    int status = -1;
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status;
}
