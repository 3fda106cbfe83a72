// What main holds at each of its returns is one leak, which happens when the process ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = strdup(argv[0]); // LEAK name SURE AT-EXIT because MAIN_RETURNS
    if (name == NULL)
        exit(1);
    if (argc < 2)
        return 2; // LOST name
    if (argc > 5)
        return 3; // LOST name
    puts(name);
    return 0; // LOST name
}
