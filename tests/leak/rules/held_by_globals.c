// leak-at-exit: a block that reached its reader through a global, and that the reader did not
// release. What only its maker reads again stays quiet: it is kept for the rest of the run.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *handed, *released, *cached;
char *title;

static void print_handed(void) {
    puts(handed);
}

static void print_released(void) {
    puts(released);
    free(released);
}

static void hand_over(void) {
    handed = strdup("a"); // AT-EXIT handed LIKELY AT-EXIT because AFTER_MAIN
    if (handed == NULL)
        exit(1);
    print_handed();
}

static void hand_over_and_free(void) {
    released = strdup("b"); // OK
    if (released == NULL)
        exit(1);
    print_released();
}

static void keep(void) {
    if (cached == NULL)
        cached = strdup("c"); // OK
    if (cached != NULL)
        puts(cached);
}

static void name_it(void) {
    title = strdup("d"); // OK
    printf("%s\n", title ? title : "");
}

int main(void) {
    hand_over();
    hand_over_and_free();
    keep();
    name_it();
    return 0; // LOST handed
}
