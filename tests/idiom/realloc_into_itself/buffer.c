// p = realloc(p, n) loses the old block when it fails.
#include <stdlib.h>
#include <string.h>

struct buf {
    char *data;
    size_t used, room;
};

int append_losing_the_old_block(struct buf *b, const char *s) {
    size_t n = strlen(s);
    if (b->used + n + 1 > b->room) {
        b->data = realloc(b->data, b->used + n + 1);
        if (b->data == NULL)
            return -1;
        b->room = b->used + n + 1;
    }
    memcpy(b->data + b->used, s, n + 1);
    b->used += n;
    return 0;
}

int local_block_lost_on_failure(size_t n) {
    char *line = malloc(80); // LEAK line
    if (line == NULL)
        return -1;
    if (n > 80) {
        line = realloc(line, n); // LOST line
        if (line == NULL)
            return -1; // LOST line
    }
    line[0] = 0;
    free(line);
    return 0;
}

int local_block_kept_on_failure(size_t n) {
    char *line = malloc(80); // OK
    if (line == NULL)
        return -1;
    if (n > 80) {
        char *more = realloc(line, n); // OK
        if (more == NULL) {
            free(line);
            return -1;
        }
        line = more;
    }
    line[0] = 0;
    free(line);
    return 0;
}

int shrunk_to_fit(char **out) {
    char *p = malloc(1000); // OK
    if (p == NULL)
        return -1;
    strcpy(p, "x");
    char *q = realloc(p, 2); // OK
    *out = q != NULL ? q : p;
    return 0;
}
