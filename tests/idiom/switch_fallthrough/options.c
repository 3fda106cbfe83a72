// Options parsed by a switch: repeated options overwrite, cases fall through.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    char *output;
    char *config;
    int verbose;
};

int repeated_option_leaks(int argc, char **argv) {
    char *output = NULL;
    int c;
    while ((c = getopt(argc, argv, "o:v")) != -1) {
        switch (c) {
        case 'o':
            output = strdup(optarg); // LEAK output ONCE because BY_OPTION; LOST output
            break;
        case 'v':
            break;
        default:
            free(output);
            return -1;
        }
    }
    free(output);
    return 0;
}

int repeated_option_replaces(int argc, char **argv) {
    char *output = NULL;
    int c;
    while ((c = getopt(argc, argv, "o:v")) != -1) {
        switch (c) {
        case 'o':
            free(output);
            output = strdup(optarg); // OK
            break;
        default:
            break;
        }
    }
    free(output);
    return 0;
}

int bad_option_leaks(int argc, char **argv) {
    char *output = NULL;
    int c;
    while ((c = getopt(argc, argv, "o:")) != -1) {
        switch (c) {
        case 'o':
            free(output);
            output = strdup(optarg); // LEAK bad
            break;
        default:
            return -1; // LOST bad
        }
    }
    free(output);
    return 0;
}

char *falls_into_the_copy(int kind, const char *s) {
    char *p = NULL;
    switch (kind) {
    case 1:
        s++;
        /* fall through */
    case 2:
        p = strdup(s); // OK
        break;
    case 3:
        p = strdup("three"); // LEAK three
        /* fall through */
    default:
        p = strdup("other"); // LOST three
        break;
    }
    return p;
}
