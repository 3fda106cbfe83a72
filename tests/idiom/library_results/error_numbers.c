// Functions that tell failure by an error number, never by -1.
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

int spawn_looks_for_the_wrong_number(char *const argv[]) {
    pid_t pid;
    char *copy = malloc(10); // OK
    if (copy == NULL)
        return -1;
    if (posix_spawn(&pid, argv[0], NULL, NULL, argv, NULL) == -1)
        return -2;
    free(copy);
    return 0;
}

int spawn_looks_for_any(char *const argv[]) {
    pid_t pid;
    char *copy = malloc(10); // LEAK copy
    if (copy == NULL)
        return -1;
    if (posix_spawn(&pid, argv[0], NULL, NULL, argv, NULL) != 0)
        return -2; // LOST copy
    free(copy);
    return 0;
}

int two_tests_of_one_answer(int fd) {
    char *copy = malloc(10); // OK
    if (copy == NULL)
        return -1;
    ssize_t n = read(fd, copy, 10);
    if (n < 0)
        free(copy);
    if (n == -1)
        return -2;
    if (n >= 0)
        free(copy);
    return 0;
}
