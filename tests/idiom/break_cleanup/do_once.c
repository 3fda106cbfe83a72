// do { ... } while (0) with break as a jump to the cleanup.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int send_text(const char *);

int cleaned_after_break(const char *s) {
    int r = -1;
    char *a = NULL, *b = NULL;
    do {
        a = strdup(s); // OK
        if (a == NULL)
            break;
        b = strdup(a); // OK
        if (b == NULL)
            break;
        r = send_text(b);
    } while (0);
    free(a);
    free(b);
    return r;
}

int one_forgotten_after_break(const char *s) {
    int r = -1;
    char *a = NULL, *b = NULL;
    do {
        a = strdup(s); // OK
        if (a == NULL)
            break;
        b = strdup(a); // LEAK b
        if (b == NULL)
            break;
        r = send_text(b);
    } while (0);
    free(a);
    return r; // LOST b
}

int freed_on_success_only(const char *s) {
    char *a;
    do {
        a = strdup(s); // LEAK a
        if (a == NULL)
            return -1;
        if (send_text(a) < 0)
            break; // LOST a
        free(a);
        return 0;
    } while (0);
    return -1; // LOST a
}
