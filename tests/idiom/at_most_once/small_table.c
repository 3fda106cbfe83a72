// A program goes through a table of its own at the start: what is lost for each row is lost a few times.
// What is lost for each word of the command line adds up with them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    const char *name;
    int least;
};

static const struct setting of_one[] = {{"speed", 1}, {"size", 2}}, of_two[] = {{"depth", 0}};

static void read_settings(const struct setting *rows, unsigned short count) {
    for (unsigned short i = 0; i < count; i++) {
        char *text = strdup(getenv(rows[i].name)); // LEAK text ONCE because RUNS_ONCE
        if (text == NULL)
            return;
        if (atoi(text) < rows[i].least)
            continue; // LOST text
        free(text);
    }
}

static void read_words(char **words, int count) {
    for (int i = 0; i < count; i++) {
        char *text = strdup(words[i]); // LEAK word RECURS
        if (text == NULL)
            return;
        if (atoi(text) < 1)
            continue; // LOST word
        free(text);
    }
}

int main(int argc, char **argv) {
    read_settings(of_one, sizeof of_one / sizeof *of_one);
    read_settings(of_two, sizeof of_two / sizeof *of_two);
    read_words(argv, argc);
    return 0;
}
