// Error exits: what was obtained before the failure must go on every way out.
#include <stdlib.h>
#include <string.h>

extern int step(int);

int forgotten_on_the_early_return(int n) {
    char *p = malloc(n); // LEAK early
    if (p == NULL)
        return -1;
    if (step(n) < 0)
        return -2; // LOST early
    free(p);
    return 0;
}

int freed_on_every_return(int n) {
    char *p = malloc(n); // OK
    if (p == NULL)
        return -1;
    if (step(n) < 0) {
        free(p);
        return -2;
    }
    free(p);
    return 0;
}

int first_forgotten_when_the_second_fails(int n) {
    char *a = malloc(n); // LEAK first SURE MEMORY-SHORT because NO_MEMORY
    if (a == NULL)
        return -1;
    char *b = malloc(n); // OK
    if (b == NULL)
        return -1; // LOST first
    free(b);
    free(a);
    return 0;
}

char *one_of_three_returns_forgets(const char *s, int mode) {
    char *copy = strdup(s); // LEAK copy
    if (copy == NULL)
        return NULL;
    if (mode == 0)
        return copy;
    if (mode == 1) {
        free(copy);
        return NULL;
    }
    return NULL; // LOST copy
}

int null_means_nothing_to_free(int n) {
    char *p = malloc(n); // OK
    if (!p)
        return -1;
    free(p);
    return 0;
}

int test_of_the_negation(int n) {
    char *p = malloc(n); // OK
    if (p) {
        step(p[0]);
        free(p);
    }
    return 0;
}

int both_tested_at_once(int n) {
    char *a = malloc(n); // LEAK a
    char *b = malloc(n); // LEAK b
    if (a == NULL || b == NULL)
        return -1; // LOST a; LOST b
    free(a);
    free(b);
    return 0;
}

int both_freed_at_once(int n) {
    char *a = malloc(n); // OK
    char *b = malloc(n); // OK
    int result = -1;
    if (a != NULL && b != NULL)
        result = step(n);
    free(a);
    free(b);
    return result;
}
