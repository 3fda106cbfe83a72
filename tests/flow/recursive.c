// Functions that call each other have one answer for what they read and write: the cells of all that
// are on their way. Callers outside see none of theirs.
#include <stdlib.h>

static void even(int n, char **out);

static void odd(int n, char **out) {
    char *mine = NULL;
    if (n > 2)
        even(n - 1, &mine);
    free(mine);
    if (n == 1)
        *out = malloc(1);
    else
        even(n - 1, out);
}

static void even(int n, char **out) {
    if (n > 0)
        odd(n - 1, out);
}

int outer(int n) {
    char *got = NULL;
    even(n, &got);
    free(got);
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    return outer(argc);
}
