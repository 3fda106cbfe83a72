// Table II, the loops: two simple ones, two chained ones, nested; each leaking and clean.
#include <stdlib.h>

extern int more(void);

void simple_loop_1_leaks(int n) {
    char *p = NULL;
    while (n-- > 0) {
        p = malloc(10); // LEAK simple1; LOST simple1
    }
    free(p);
}

void simple_loop_1_clean(int n) {
    char *p = NULL;
    while (n-- > 0) {
        free(p);
        p = malloc(10); // OK
    }
    free(p);
}

void simple_loop_2_leaks(void) {
    char *p = malloc(10); // LEAK simple2
    while (more()) {
        if (p[0] == 'x') {
            free(p);
            return;
        }
    }
} // LOST simple2

void simple_loop_2_clean(void) {
    char *p = malloc(10); // OK
    if (p == NULL)
        return;
    while (more()) {
        if (p[0] == 'x')
            break;
    }
    free(p);
}

void chain_loop_1_leaks(int n) {
    char *a[100];
    if (n > 100)
        n = 100;
    for (int i = 0; i < n; i++)
        a[i] = malloc(10); // LEAK chain1
    for (int i = 0; i < n - 1; i++)
        free(a[i]);
} // LOST chain1

void chain_loop_1_clean(int n) {
    char *a[100];
    if (n > 100)
        n = 100;
    for (int i = 0; i < n; i++)
        a[i] = malloc(10); // OK
    for (int i = 0; i < n; i++)
        free(a[i]);
}

void chain_loop_2_leaks(int n) {
    char *p = NULL;
    for (int i = 0; i < n; i++)
        p = malloc(10); // LEAK chain2; LOST chain2
    for (int i = 0; i < n; i++) {
        free(p);
        p = NULL;
    }
}

void chain_loop_2_clean(int n) {
    char *p = NULL;
    for (int i = 0; i < n; i++) {
        if (p == NULL)
            p = malloc(10); // OK
    }
    for (int i = 0; i < n; i++) {
        free(p);
        p = NULL;
    }
}

void nesting_loop_leaks(int n, int m) {
    for (int i = 0; i < n; i++) {
        char *p = NULL;
        for (int j = 0; j < m; j++)
            p = malloc(10); // LEAK nested; LOST nested
        free(p);
    }
}

void nesting_loop_clean(int n, int m) {
    for (int i = 0; i < n; i++) {
        char *p = malloc(10); // OK
        for (int j = 0; j < m; j++) {
            char *q = malloc(10); // OK
            free(q);
        }
        free(p);
    }
}
