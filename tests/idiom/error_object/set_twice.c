// An error object that the callee makes and the caller frees; setting it twice loses the first.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error {
    int code;
    char *message;
};

static void error_set(struct error **err, int code, const char *message) {
    if (err == NULL)
        return;
    struct error *e = malloc(sizeof *e); // LEAK first; LEAK unread
    if (e == NULL)
        abort();
    e->code = code;
    e->message = strdup(message); // ALSO first_message; ALSO unread_message
    *err = e;                     // LOST first; LOST first_message
}

static void error_free(struct error *e) {
    if (e == NULL)
        return;
    free(e->message);
    free(e);
}

static int step(int n, struct error **err) {
    if (n < 0) {
        error_set(err, n, "negative");
        return 0;
    }
    return 1;
}

int reported_and_freed(int n) {
    struct error *err = NULL;
    if (!step(n, &err)) {
        fprintf(stderr, "%s\n", err->message);
        error_free(err);
        return -1;
    }
    return 0;
}

int ignored_with_null(int n) {
    return step(n, NULL) ? 0 : -1;
}

int read_but_not_freed(int n) {
    struct error *err = NULL;
    if (!step(n, &err)) // LEAK unread
        return -1;      // LOST unread; LOST unread_message
    return 0;
}

int second_error_over_the_first(int n) {
    struct error *err = NULL;
    step(n, &err);     // LEAK first
    step(n - 1, &err); // LOST first; LOST first_message
    error_free(err);
    return 0;
}
