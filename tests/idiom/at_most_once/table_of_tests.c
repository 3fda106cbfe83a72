// A loop through an array of functions, as drivers of tests have it, calls each of them once. A loop
// that never ends goes through the array again and again, and a list may have any length.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int more(void);

static int first(void) {
    char *text = strdup("first"); // LEAK first ONCE because RUNS_ONCE
    return text != NULL && puts(text) >= 0; // LOST first
}

static int second(void) {
    char *text = strdup("second"); // LEAK second ONCE because RUNS_ONCE
    return text != NULL && puts(text) >= 0; // LOST second
}

static int polled(void) {
    char *text = strdup("polled"); // LEAK polled RECURS
    return text != NULL && puts(text) >= 0; // LOST polled
}

static int listed(void) {
    char *text = strdup("listed"); // LEAK listed RECURS
    return text != NULL && puts(text) >= 0; // LOST listed
}

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {{"first", first}, {"second", second}, {NULL, NULL}};

static int (*const handlers[])(void) = {polled};

struct job {
    struct job *next;
    int (*run)(void);
};

static struct job *jobs;

static void add_job(void) {
    struct job *j = malloc(sizeof *j); // OK
    if (j == NULL)
        exit(1);
    j->run = listed;
    j->next = jobs;
    jobs = j;
}

int main(void) {
    int failed = 0;
    for (int i = 0; tests[i].name != NULL; i++)
        failed += !tests[i].run();
    while (more())
        add_job();
    for (struct job *j = jobs; j != NULL; j = j->next)
        failed += !j->run();
    while (more())
        for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
            failed += !handlers[i]();
    return failed;
}
