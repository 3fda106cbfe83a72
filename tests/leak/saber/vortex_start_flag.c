// False positive of Saber: a flag makes the first round allocate and a later one free.
#include <stdlib.h>

void allocated_at_the_start_freed_later(void) {
    int start = 1;
    int i = 1;
    int *res = NULL;
    while (i <= 10) {
        if (start) {
            res = malloc(4); // OK
            start = 0;
        } else {
            if (res != NULL) {
                free(res);
                res = NULL;
            }
        }
        i++;
    }
}

void freed_in_every_later_round(void) {
    int start = 1;
    int i = 1;
    int *res = NULL;
    while (i <= 10) {
        if (start) {
            res = malloc(4); // OK
            start = 0;
        } else {
            if (res != NULL)
                free(res); // DOUBLE-FREE
        }
        i++;
    }
}

void the_flag_is_never_cleared(int n) {
    int start = 1;
    int *res = NULL;
    for (int i = 0; i < n; i++) {
        if (start)
            res = malloc(4); // LEAK res; LOST res
    }
    free(res);
}

void allocated_in_the_last_round(void) {
    int *res = NULL;
    for (int i = 1; i <= 10; i++) {
        if (i == 10)
            res = malloc(4); // LEAK late
        else
            free(res);
    }
} // LOST late
