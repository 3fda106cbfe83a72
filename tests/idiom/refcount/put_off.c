// A release that a count in the block puts off, and the count is in the hands of code that is not
// followed.
#include <stdlib.h>

struct buffer {
    char *data;
    size_t size;
    unsigned count;
};

struct buffer *buffer_new(void) {
    struct buffer *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->count = 1;
    return b;
}

void buffer_free(struct buffer *b) {
    if (b == NULL || --b->count > 0)
        return;
    free(b->data);
    free(b);
}

void fill(unsigned *count);
int check(const struct buffer *b);

int released_or_shared(void) {
    struct buffer *b = buffer_new(); // OK likely: as the count says
    if (b == NULL)
        return -1;
    fill(&b->count);
    buffer_free(b);
    return 0;
}

int forgotten_on_the_error_exit(void) {
    struct buffer *b = buffer_new(); // LEAK forgotten
    if (b == NULL)
        return -1;
    if (check(b) < 0)
        return -2; // LOST forgotten
    buffer_free(b);
    return 0;
}

int shared_and_released_once(void) {
    struct buffer *b = buffer_new(); // LEAK once
    if (b == NULL)
        return -1;
    b->count++;
    buffer_free(b);
    return 0; // LOST once
}
