// leak-at-exit: what main still holds when it returns is a note; what it loses before is a leak.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = strdup(argv[0]); // AT-EXIT name
    char *args = NULL;
    char *done = malloc(10); // OK
    for (int i = 1; i < argc; i++)
        args = strdup(argv[i]); // LEAK args; LOST args
    free(args);
    if (name == NULL) {
        free(done);
        return 1;
    }
    if (argc > 5)
        exit(2);
    puts(name);
    free(done);
    return 0; // LOST name
}
