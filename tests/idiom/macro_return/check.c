// A macro that returns in the middle of a function.
#include <stdlib.h>
#include <string.h>

#define CHECK(cond)                                                                                \
    do {                                                                                           \
        if (!(cond))                                                                               \
            return -1;                                                                             \
    } while (0)

#define CHECK_GOTO(cond)                                                                           \
    do {                                                                                           \
        if (!(cond))                                                                               \
            goto fail;                                                                             \
    } while (0)

struct header {
    int magic, version;
    char *title;
};

extern int read_header(const char *path, struct header *h);

int macro_returns_past_the_free(const char *s) {
    char *copy = strdup(s); // LEAK copy
    CHECK(copy != NULL);
    CHECK(copy[0] == '#'); // LOST copy
    free(copy);
    return 0;
}

int macro_jumps_to_the_free(const char *s) {
    char *copy = strdup(s); // OK
    CHECK_GOTO(copy != NULL);
    CHECK_GOTO(copy[0] == '#');
    free(copy);
    return 0;
fail:
    free(copy);
    return -1;
}

int checked_before_the_allocation(const char *s) {
    CHECK(s != NULL);
    CHECK(s[0] != 0);
    char *copy = strdup(s); // OK
    CHECK(copy != NULL);
    int r = copy[0];
    free(copy);
    return r;
}
