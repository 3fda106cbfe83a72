// A library's main loop is where a program waits: what comes before it is start-up, and what the loop
// calls is not.
// run: --spec main_loop.own
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void at_event(void (*handler)(void));
void run_events(void);

static void read_lines(FILE *f) {
    char line[64];
    while (fgets(line, sizeof line, f) != NULL) {
        char *copy = strdup(line); // LEAK line ONCE because STARTS_UP
        if (copy == NULL)
            return;
        if (copy[0] == '#')
            continue; // LOST line
        puts(copy);
        free(copy);
    }
}

static void on_event(void) {
    char *event = malloc(16); // LEAK event RECURS
    if (event == NULL)
        return;
    if (getchar() == '#')
        return; // LOST event
    free(event);
}

int main(void) {
    read_lines(stdin);
    at_event(on_event);
    run_events();
    return 0;
}
