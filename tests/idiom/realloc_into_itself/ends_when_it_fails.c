// The old block is lost when realloc fails; where the program ends then, nobody minds.
#include <stdio.h>
#include <stdlib.h>

static char *buffer;
static size_t size = 16;

static void die(void) {
    perror("realloc");
    exit(1);
}

void grown_or_dead(void) {
    if (buffer == NULL && (buffer = malloc(size)) == NULL)
        die();
    while (fread(buffer, 1, size, stdin) == size) {
        size *= 2;
        buffer = realloc(buffer, size); // OK likely: the program ends
        if (!buffer)
            die();
    }
}

int grown_or_left(void) {
    char *text = malloc(16); // LEAK text
    size_t n = 16;
    if (text == NULL)
        return -1;
    while (fread(text, 1, n, stdin) == n) {
        n *= 2;
        text = realloc(text, n); // LOST text; LEAK more; LOST more
        if (text == NULL)
            return -1;
    }
    free(text);
    return 0;
}
