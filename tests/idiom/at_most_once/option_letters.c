// What an option of the command line loses is likely only, wherever it is handled: in the loop over
// the options, in a function that the option calls, in one that is given the option's letter. What is
// lost for each option whatever its letter, or for each operand, is sure.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long total, ports[8];
static const struct {
    const char *name;
    int letter;
} variables[] = {{"TOOL_PORTS", 'p'}, {"TOOL_NAME", 'n'}, {NULL, 0}};

static void read_list(const char *name) {
    FILE *f = fopen(name, "r"); // OK likely: an option's file
    char line[80];
    if (f == NULL)
        exit(1);
    while (fgets(line, sizeof line, f))
        total++;
}

static void read_operand(const char *name) {
    FILE *f = fopen(name, "r"); // RESOURCE-LEAK operand
    char line[80];
    if (f == NULL)
        exit(1);
    while (fgets(line, sizeof line, f))
        total++;
} // LOST operand

static void interpret(int letter, const char *text) {
    char *all = strdup(text); // LEAK each
    if (all == NULL)
        return;
    switch (letter) {
    case 'p': {
        char *copy = strdup(text); // OK likely: a list of ports
        int i = 0;
        for (char *p = copy ? strtok(copy, ",") : NULL; p != NULL && i < 8; p = strtok(NULL, ","))
            ports[i++] = atol(p);
        break;
    }
    case 'n':
        puts(text);
        break; // LOST each
    default:
        break; // LOST each
    }
} // LOST each

static void read_words(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-q") == 0) {
            char *quiet = strdup("quiet"); // OK likely: one option
            if (quiet != NULL)
                total += strlen(quiet);
        } else {
            char *word = strdup(argv[i]); // LEAK word
            if (word != NULL)
                total += strlen(word);
        } // LOST word
    }
}

int main(int argc, char **argv) {
    int c;
    for (int i = 0; variables[i].name != NULL; i++) {
        const char *text = getenv(variables[i].name);
        if (text != NULL)
            interpret(variables[i].letter, text);
    }
    while ((c = getopt(argc, argv, "c:p:n:l:")) != -1) {
        if (c == 'c') {
            char *count = strdup(optarg); // OK likely: the option's value is not kept
            if (count != NULL)
                total = atol(count);
        } else if (c == 'l') {
            read_list(optarg);
        } else {
            interpret(c, optarg);
        }
    }
    read_words(argc, argv);
    while (optind < argc)
        read_operand(argv[optind++]);
    printf("%ld %ld\n", total, ports[0]);
    return 0;
}
