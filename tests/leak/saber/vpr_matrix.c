// False positive of Saber: rows allocated in one loop and freed in another are the same rows.
#include <stdlib.h>

static void **alloc_matrix(void) {
    char **rows = malloc(10 * sizeof *rows);
    if (rows == NULL)
        abort();
    for (int i = 0; i < 10; i++)
        rows[i] = malloc(1); // LEAK row; LEAK last
    return (void **)rows;
}

static void free_matrix(void **matrix) {
    for (int i = 0; i < 10; i++)
        free(matrix[i]);
    free(matrix);
}

void all_rows_freed(void) {
    char **m = (char **)alloc_matrix();
    free_matrix((void **)m);
}

void only_the_table_of_rows_freed(void) {
    char **m = (char **)alloc_matrix();
    free(m); // LOST row
}

static void free_all_but_one(void **matrix) {
    for (int i = 0; i < 9; i++)
        free(matrix[i]);
    free(matrix); // LOST last
}

void the_last_row_left(void) {
    char **m = (char **)alloc_matrix();
    free_all_but_one((void **)m); // LOST last
}

static int **alloc_n(int n) {
    int **rows = malloc(n * sizeof *rows);
    if (rows == NULL)
        abort();
    for (int i = 0; i < n; i++)
        rows[i] = malloc(4); // OK
    return rows;
}

void n_rows_freed(int n) {
    int **m = alloc_n(n);
    for (int i = 0; i < n; i++)
        free(m[i]);
    free(m);
}

void n_rows_freed_backwards(int n) {
    int **m = alloc_n(n);
    while (n-- > 0)
        free(m[n]);
    free(m);
}
