// What a function loses that the library calls at most once, as the process ends or to set something
// up, happens once; the same behind a handler that may be called again recurs.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void say_goodbye(void) {
    char *text = strdup("bye"); // LEAK goodbye ONCE because RUNS_ONCE
    if (text != NULL)
        puts(text);
} // LOST goodbye

static void set_up(void) {
    char *text = strdup("up"); // LEAK up ONCE because RUNS_ONCE
    if (text != NULL)
        puts(text);
} // LOST up

static void on_signal(int number) {
    char *text = strdup("caught"); // LEAK caught RECURS
    if (text != NULL && number > 2)
        puts(text);
} // LOST caught

// Registered, and called in a loop besides.
static void flush(void) {
    char *text = strdup("flushed"); // LEAK flushed RECURS
    if (text != NULL)
        puts(text);
} // LOST flushed

int more(void);

int main(void) {
    atexit(say_goodbye);
    atexit(flush);
    signal(SIGINT, on_signal);
    while (more()) {
        pthread_once(&once, set_up);
        flush();
    }
    return 0;
}
