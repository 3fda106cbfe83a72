// switch, goto, computed goto and labels in odd places.
#include <stdlib.h>

extern int ask(void);

int one_case_forgets(int kind) {
    char *p = malloc(4); // LEAK cased
    switch (kind) {
    case 0:
        free(p);
        return 0;
    case 1:
        return 1; // LOST cased
    default:
        break;
    }
    free(p);
    return 2;
}

int every_case_frees(int kind) {
    char *p = malloc(4); // OK
    switch (kind) {
    case 0:
    case 1:
        free(p);
        return 1;
    case 2:
        if (ask())
            break;
        /* fall through */
    default:
        free(p);
        return 0;
    }
    free(p);
    return 2;
}

int allocated_and_freed_under_the_same_case(int kind) {
    char *p = NULL;
    switch (kind) {
    case 3:
        p = malloc(3); // OK
        break;
    case 4:
        p = malloc(4); // OK
        break;
    }
    int r = ask();
    if (kind == 3 || kind == 4)
        free(p);
    return r;
}

int jumps_over_the_free(void) {
    char *p = malloc(4); // LEAK jumped
    if (ask())
        goto out; // LOST jumped
    free(p);
out:
    return 0; // LOST jumped
}

int jumps_to_the_free(void) {
    int r = -1;
    char *p = malloc(4); // OK
    if (p == NULL)
        goto out;
    if (ask())
        goto out;
    r = 0;
out:
    free(p);
    return r;
}

int retries_with_goto(void) {
    char *p;
again:
    p = malloc(4); // LEAK retried; LOST retried
    if (ask())
        goto again; // LOST retried
    free(p);
    return 0;
}

int retries_after_free(void) {
    char *p;
again:
    p = malloc(4); // OK
    if (ask()) {
        free(p);
        goto again;
    }
    free(p);
    return 0;
}

int computed_goto(int op) {
    static const void *const labels[] = {&&release, &&leave};
    char *p = malloc(4); // LEAK computed
    goto *labels[op & 1];
release:
    free(p);
    return 0;
leave:
    return 1; // LOST computed
}
