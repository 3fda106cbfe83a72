// Figure 13: freed in the body of a loop. Sparrow silences the leak by assuming one iteration at
// least; the loop as drawn frees ten times.
#include <stdlib.h>

extern int wanted(int);

void freed_ten_times(void) {
    int *p = malloc(4); // OK
    for (int i = 0; i < 10; i++)
        free(p); // DOUBLE-FREE
}

void freed_in_the_first_round(void) {
    int *p = malloc(4); // OK
    for (int i = 0; i < 10; i++) {
        if (i == 0)
            free(p);
    }
}

void freed_in_the_last_round(void) {
    int *p = malloc(4); // OK
    for (int i = 0; i < 10; i++) {
        if (i == 9)
            free(p);
    }
}

void not_freed_when_the_loop_does_not_run(int n) {
    int *p = malloc(4); // LEAK p
    for (int i = 0; i < n; i++) {
        free(p);
        break;
    }
} // LOST p; WHEN: n <= 0

void not_freed_when_none_is_wanted(int n) {
    int *p = malloc(4); // LEAK q
    for (int i = 0; i < n; i++) {
        if (wanted(i)) {
            free(p);
            return;
        }
    }
} // LOST q
