// A thread that is begun once runs once, whatever it does for itself; one that each request begins is one of many.
// What a library function calls while it runs belongs to the start of the program where that call does.
#include <poll.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same(const void *a, const void *b) { return strcmp(a, b); }

static void *prepares(void *name) {
    char *copy = strdup(name); // LEAK thread ONCE because RUNS_ONCE
    if (copy != NULL && copy[0] == '#')
        return NULL; // LOST thread
    puts(copy ? copy : "none");
    free(copy);
    return NULL;
}

static void *answers(void *name) {
    char *copy = strdup(name); // LEAK request RECURS
    if (copy != NULL && copy[0] == '#')
        return NULL; // LOST request
    puts(copy ? copy : "none");
    free(copy);
    return NULL;
}

static void at_start(const void *node, VISIT which, int depth) {
    char *copy = strdup(*(char *const *)node); // LEAK start ONCE because STARTS_UP
    if (copy == NULL || which == postorder)
        return; // LOST start
    printf("%d %s\n", depth, copy);
    free(copy);
}

static void each_time(const void *node, VISIT which, int depth) {
    char *copy = strdup(*(char *const *)node); // LEAK later RECURS
    if (copy == NULL || which == postorder)
        return; // LOST later
    printf("%d %s\n", depth, copy);
    free(copy);
}

int main(int argc, char **argv) {
    pthread_t thread;
    void *tree = NULL;
    struct pollfd in = {0, POLLIN, 0};
    for (int i = 0; i < argc; i++)
        tsearch(argv[i], &tree, same);
    twalk(tree, at_start);
    if (pthread_create(&thread, NULL, prepares, argv[0]) == 0)
        pthread_detach(thread);
    while (poll(&in, 1, -1) > 0) {
        if (pthread_create(&thread, NULL, answers, argv[0]) == 0)
            pthread_detach(thread);
        twalk(tree, each_time);
    }
    exit(0);
}
