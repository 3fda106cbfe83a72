// Starting a thread through a function that tells by `!error` whether it did; the thread frees the
// argument.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct start {
    void *(*run)(void *);
    void *argument;
};

static void *run_and_free(void *data)
{
    struct start *s = data;
    void *(*run)(void *) = s->run;
    void *argument = s->argument;
    free(s);
    return run(argument);
}

static int thread_start(pthread_t *t, size_t stack, void *(*run)(void *), void *argument)
{
    int error;
    if (stack) {
        pthread_attr_t attributes;
        error = pthread_attr_init(&attributes);
        if (!error) {
            error = pthread_attr_setstacksize(&attributes, stack);
            if (!error)
                error = pthread_create(t, &attributes, run, argument);
            pthread_attr_destroy(&attributes);
        }
    } else {
        error = pthread_create(t, NULL, run, argument);
    }
    if (error)
        errno = error;
    return !error;
}

int freed_where_it_fails(pthread_t *t, size_t stack, void *(*run)(void *), void *argument)
{
    struct start *s = malloc(sizeof *s); // OK
    if (!s)
        return 0;
    s->run = run;
    s->argument = argument;
    if (!thread_start(t, stack, run_and_free, s)) {
        free(s);
        return 0;
    }
    return 1;
}

int forgotten_where_it_fails(pthread_t *t, size_t stack, void *(*run)(void *), void *argument)
{
    struct start *s = malloc(sizeof *s); // LEAK fails
    if (!s)
        return 0;
    s->run = run;
    s->argument = argument;
    if (!thread_start(t, stack, run_and_free, s))
        return 0; // LOST fails
    return 1;
}
