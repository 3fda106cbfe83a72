// `a || b` decides twice: whether a block is obtained, and whether it is released. The paths on which
// one of the two held have met in between.
// run: --level=likely
#include <stdlib.h>

int of_parameters(int a, int b, size_t n)
{
    char *p = NULL;
    if (a || b) {
        p = malloc(n); // OK
        if (p == NULL) return -1;
        p[0] = 1;
    }
    if (a || b) free(p);
    return 0;
}

int of_elements(const int *a, const int *b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        char *p = NULL;
        if (a[i] || b[i]) {
            p = malloc(10); // OK
            if (p == NULL) return -1;
            p[0] = 1;
        }
        sum += i;
        if (a[i] || b[i]) free(p);
    }
    return sum;
}

int ask(int);

int of_results(int n)
{
    char *p = NULL;
    int a = ask(1), b = ask(2);
    if (a || b) {
        p = malloc((size_t)n); // OK
        if (p == NULL) return -1;
        p[0] = 1;
    }
    if (a || b) free(p);
    return 0;
}

int only_one_of_them(const int *a, const int *b, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        char *p = NULL;
        if (a[i] || b[i]) {
            p = malloc(10); // LEAK other
            if (p == NULL) return -1;
            p[0] = 1;
        }
        sum += i;
        if (a[i]) free(p);
    } // LOST other
    return sum;
}
