// What main holds at each of its returns is one leak, shown where it returns after success. It is
// not sure: the process is ending.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char *name = strdup(argv[0]); // OK
    if (name == NULL)
        exit(1);
    if (argc < 2)
        return 2;
    if (argc > 5)
        return 3;
    puts(name);
    return 0;
}
