// A block is handed to a callback behind a field. One that takes a pointer to const borrows it; any
// other may have kept it.
#include <stdlib.h>

struct writer {
    int (*write)(void *arg, const void *data, size_t size);
    int (*adopt)(void *arg, void *data);
    void *arg;
};

int padding_lost_when_the_callback_fails(struct writer *w, size_t n) {
    char *zeroes = calloc(n, 1); // LEAK padding LIKELY because UNDECIDED
    if (!zeroes)
        return -1;
    int status = w->write(w->arg, zeroes, n);
    if (status < 0)
        return status; // LOST padding
    free(zeroes);
    return 0;
}

int padding_freed_either_way(struct writer *w, size_t n) {
    char *zeroes = calloc(n, 1);
    if (!zeroes)
        return -1;
    int status = w->write(w->arg, zeroes, n);
    free(zeroes);
    return status;
}

int handed_over(struct writer *w) {
    char *block = malloc(8);
    if (!block)
        return -1;
    return w->adopt(w->arg, block);
}
