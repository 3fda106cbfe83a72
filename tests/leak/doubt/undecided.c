// What no replay shows is at most likely: a callback may have kept the block, behind it nobody knows.
// run: --level=likely
#include <stdlib.h>

struct writer {
    int (*write)(void *arg, const void *data, size_t size);
    void *arg;
};

int lost_behind_a_callback(struct writer *w, size_t n)
{
    char *zeroes = calloc(n, 1); // LEAK padding LIKELY because UNDECIDED
    if (!zeroes) return -1;
    int status = w->write(w->arg, zeroes, n);
    if (status < 0) return status; // LOST padding
    free(zeroes);
    return 0;
}

int lost_before_the_callback(struct writer *w, size_t n)
{
    char *zeroes = calloc(n, 1); // LEAK early SURE
    if (!zeroes) return -1;
    if (n > 100) return -2; // LOST early
    int status = w->write(w->arg, zeroes, n);
    free(zeroes);
    return status;
}
