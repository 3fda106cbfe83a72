// Loops: the block of one round must be gone before the next.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int next(char *line);

void last_of_each_round_forgotten(int n) {
    for (int i = 0; i < n; i++) { // LOST round
        char *p = malloc(i + 1);  // LEAK round; LOST round
        if (p != NULL)
            p[0] = 0;
    } // LOST round
}

void continue_skips_the_free(int n) {
    for (int i = 0; i < n; i++) { // LOST skipped
        char *p = malloc(8);      // LEAK skipped; LOST skipped
        if (p == NULL)
            break;
        if (i % 3 == 0)
            continue; // LOST skipped
        free(p);
    } // LOST skipped
}

void break_skips_the_free(int n) {
    for (int i = 0; i < n; i++) {
        char *p = malloc(8); // LEAK broken
        if (p == NULL)
            return;
        if (i == 5)
            break; // LOST broken
        free(p);
    } // LOST broken
} // LOST broken

void continue_after_the_free(int n) {
    for (int i = 0; i < n; i++) {
        char *p = malloc(8); // OK
        if (p == NULL)
            continue;
        if (i % 3 == 0) {
            free(p);
            continue;
        }
        p[0] = 1;
        free(p);
    }
}

char *last_line_kept(void) {
    char line[100];
    char *last = NULL;
    while (next(line)) {
        free(last);
        last = strdup(line); // OK
    }
    return last;
}

char *last_line_kept_others_lost(void) {
    char line[100];
    char *last = NULL;
    while (next(line))
        last = strdup(line); // LEAK line; LOST line
    return last;
}

void do_while_once(void) {
    char *p;
    do {
        p = malloc(1); // OK
    } while (0);
    free(p);
}

char *until_it_works(void) {
    char *p;
    while ((p = malloc(1)) == NULL) // OK
        ;
    return p;
}

void freed_in_reverse(void) {
    char *a[4];
    for (int i = 0; i < 4; i++)
        a[i] = malloc(1); // OK
    for (int i = 3; i >= 0; i--)
        free(a[i]);
}

int undone_when_one_fails(char **a, int n) {
    for (int i = 0; i < n; i++) {
        a[i] = malloc(1); // OK
        if (a[i] == NULL) {
            while (i-- > 0)
                free(a[i]);
            return -1;
        }
    }
    return 0;
}
