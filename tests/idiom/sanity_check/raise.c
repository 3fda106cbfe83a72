// A release that first looks whether its object is sane, and crashes on purpose when it is not.
#include <signal.h>
#include <stdlib.h>

struct buffer {
    char *data;
    size_t size, used;
};

static int is_insane(const struct buffer *b) {
    if (b->used > b->size) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        return -1;
    }
    return 0;
}

static int is_reported(const struct buffer *b) {
    if (b->used > b->size) {
        raise(SIGUSR1);
        return -1;
    }
    return 0;
}

struct buffer *buffer_new(size_t size) {
    struct buffer *b = calloc(1, sizeof *b);
    if (b == NULL)
        return NULL;
    b->size = size;
    return b;
}

int fill(struct buffer *b);

int crashes_before_it_leaks(size_t n) {
    struct buffer *b = buffer_new(n); // OK
    if (b == NULL)
        return -1;
    b->used = (size_t)getenv("USED");
    if (is_insane(b) != 0)
        return -1;
    free(b);
    return 0;
}

int goes_on_after_the_signal(size_t n) {
    struct buffer *b = buffer_new(n); // LEAK buffer
    if (b == NULL)
        return -1;
    b->used = (size_t)getenv("USED");
    if (is_reported(b) != 0)
        return -1; // LOST buffer
    free(b);
    return 0;
}
