// When main returns: what only its own variables hold is a leak of impact at-exit, one for all
// returns; what it loses before is an ordinary one; exit() leaves everything to the system.
// run: --level=likely --impact=at-exit
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char *name;
};

int main(int argc, char **argv) {
    char *name = strdup(argv[0]); // LEAK name
    char *args = NULL;
    char *done = malloc(10); // OK
    for (int i = 1; i < argc; i++)
        args = strdup(argv[i]); // LEAK args; LOST args
    free(args);
    if (name == NULL) {
        free(done);
        return 1;
    }
    struct record *held = malloc(sizeof *held); // LEAK held
    if (held == NULL)
        exit(2);
    held->name = strdup("a"); // LEAK below
    puts(held->name ? held->name : name);
    free(done);
    return 0; // LOST name; LOST held; LOST below
}
