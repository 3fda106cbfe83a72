// Rows in one block, found through an array of pointers to them. How many there are is a number with a
// sign: of fewer than none no allocation succeeds, and for none this allocator gives null.
#include <stdio.h>
#include <stdlib.h>

static void *get(size_t bytes)
{
    void *p;
    if (bytes == 0) return NULL;
    p = malloc(bytes);
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

int **found_by_the_first_row(int n)
{
    int *all = get(n * n * sizeof(int)); // OK
    int **row = get(n * sizeof(int *));  // OK
    int i;
    for (i = 0; i < n; i++) row[i] = all + i * n;
    return row;
}

int **without_the_first_row(int n)
{
    int *all = get(n * n * sizeof(int)); // LEAK all
    int **row = get(n * sizeof(int *));  // OK
    int i;
    for (i = 1; i < n; i++) row[i] = all + i * n;
    return row; // LOST all
}

char *some_more_bytes(int n)
{
    char *p = malloc(16 + n * sizeof(int)); // OK
    if (n < 0) return NULL;
    return p;
}

char *some_fewer_bytes(int n)
{
    char *p = malloc(16 + n * sizeof(int)); // LEAK few
    if (n < 4) return NULL;                 // LOST few
    return p;
}

long *cleared(int n)
{
    long *p = calloc(n, sizeof *p); // OK
    if (p == NULL) return NULL;
    if (n < 0) return NULL;
    return p;
}

long *cleared_and_few(int n)
{
    long *p = calloc(n, sizeof *p); // LEAK cleared
    if (p == NULL) return NULL;
    if (n == 1) return NULL; // LOST cleared
    return p;
}

void *grown(void *old, long n)
{
    void *p = realloc(old, n * 8); // OK
    if (p == NULL) {
        free(old);
        return NULL;
    }
    if (n < 0) return NULL;
    return p;
}
