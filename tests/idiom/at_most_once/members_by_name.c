// Two structs of functions lie in one block whose words are cleared one by one, so that the points-to sets do not
// tell its members apart. The names of the members still do: the scaler of each frame is not what
// opens the input, but where a member is assigned to another, what lies in the first is called by the name of the second.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scaler {
    int (*scale)(char *from, char *to);
    int (*shown)(char *from, char *to);
};

struct input {
    int (*open)(char *name, char *to);
    int (*peek)(char *name, char *to);
};

struct all {
    struct scaler scaler;
    struct input input;
};

static int opened(char *name, char *to) {
    char *copy = malloc(200); // LEAK opened ONCE because RUNS_ONCE
    if (copy == NULL) return -1;
    if (strlen(name) > 199) return -1; // LOST opened
    strcpy(to, strcpy(copy, name));
    free(copy);
    return 0;
}

static int peeked(char *name, char *to) {
    char *copy = malloc(200); // LEAK peeked
    if (copy == NULL) return -1;
    if (strlen(name) > 199) return -1; // LOST peeked
    strcpy(to, strcpy(copy, name));
    free(copy);
    return 0;
}

static int scaled(char *from, char *to) {
    char *copy = malloc(200); // LEAK scaled
    if (copy == NULL) return -1;
    if (strlen(from) > 199) return -1; // LOST scaled
    strcpy(to, strcpy(copy, from));
    free(copy);
    return 0;
}

static const struct input files = {opened, peeked};

int main(int argc, char **argv) {
    static char from[1000], to[1000];
    struct all *all = malloc(sizeof *all);
    if (argc < 2 || all == NULL) return 1;
    void **words = (void **)all;
    for (size_t i = 0; i < sizeof *all / sizeof *words; i++) words[i] = NULL;
    all->scaler.scale = scaled;
    all->input = files;
    all->scaler.shown = all->input.peek;
    if (all->input.open(argv[1], from)) {
        free(all);
        return 1;
    }
    while (fgets(from, sizeof from, stdin)) {
        all->scaler.scale(from, to);
        all->scaler.shown(from, to);
        puts(to);
    }
    free(all);
    return 0;
}
