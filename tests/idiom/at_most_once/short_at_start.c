// Memory that is used after an allocation has failed, by a program that only prepares itself; the same for each
// request is one that somebody can bring about.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct words {
    char **all;
    int count;
};

static int add_word(struct words *w, const char *word) {
    char **more = realloc(w->all, (w->count + 1) * sizeof *more); // LEAK more
    char *copy = more ? strdup(word) : NULL;
    if (more == NULL || copy == NULL)
        return -1; // LOST more
    w->all = more;
    w->all[w->count++] = copy;
    return 0;
}

static void drop_words(struct words *w) {
    for (int i = 0; i < w->count; i++)
        free(w->all[i]);
    free(w->all);
}

static int prepare(const char *name) {
    struct words w = {NULL, 0};
    int done = -1;
    if (add_word(&w, "-o") == 0 && add_word(&w, name) == 0)
        done = puts(w.all[1]);
    drop_words(&w); // USE-AFTER-FREE ONCE because RUNS_ONCE
    return done;
}

static int answer(const char *name) {
    struct words w = {NULL, 0};
    int done = -1;
    if (add_word(&w, "-o") == 0 && add_word(&w, name) == 0)
        done = puts(w.all[1]);
    drop_words(&w); // USE-AFTER-FREE MEMORY_SHORT
    return done;
}

int main(int argc, char **argv) {
    struct pollfd in = {0, POLLIN, 0};
    if (prepare(argv[argc - 1]) < 0)
        return 1;
    while (poll(&in, 1, -1) > 0)
        answer(argv[0]);
    return 0;
}
