// Options that are given twice in one list of words, which may be a command line or a line of a file
// that is read by the same function. What is lost in each round, whatever the letter, is another thing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    char *device, *mixer, *all;
};

int read_lines(const char *name, struct settings *s);

int read_words(int count, char **words, struct settings *s)
{
    char *device = NULL, *file = NULL;
    int c;
    while ((c = getopt(count, words, "d:f:")) >= 0) {
        switch (c) {
        case 'd':
            device = strdup(optarg); // OK once: the option is given twice
            break;
        case 'f':
            file = strdup(optarg); // OK once
            break;
        }
    }
    if (s->device)
        free(device);
    else
        s->device = device;
    if (file) {
        int r = read_lines(file, s);
        free(file);
        return r;
    }
    return 0;
}

int read_lines(const char *name, struct settings *s)
{
    FILE *f = fopen(name, "r");
    char line[200], *words[] = {"file", line, NULL};
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        if (read_words(2, words, s) < 0)
            break;
    fclose(f);
    return 0;
}

int each_round(int count, char **words, struct settings *s)
{
    char *last = NULL;
    int c;
    while ((c = getopt(count, words, "d:f:")) >= 0) {
        last = strdup(words[0]); // LEAK last; LOST last
        if (c == 'd')
            puts("device");
    }
    s->all = last;
    return 0;
}
