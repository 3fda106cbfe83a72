// Three allocations, the second or third of which may fail.
#include <stdlib.h>

struct matrix {
    int rows, cols;
    double *values;
    int *row_index;
    int *col_index;
};

int first_lost_when_second_or_third_fails(int n) {
    double *values = malloc(n * sizeof *values); // LEAK values
    if (values == NULL)
        return -1;
    int *rows = malloc(n * sizeof *rows); // LEAK rows
    if (rows == NULL)
        return -1;                        // LOST values
    int *cols = malloc(n * sizeof *cols); // OK
    if (cols == NULL) {
        free(values);
        return -1; // LOST rows
    }
    free(cols);
    free(rows);
    free(values);
    return 0;
}

struct matrix *all_or_nothing(int n) {
    struct matrix *m = calloc(1, sizeof *m); // OK
    if (m == NULL)
        return NULL;
    m->values = calloc(n, sizeof *m->values);       // OK
    m->row_index = calloc(n, sizeof *m->row_index); // OK
    m->col_index = calloc(n, sizeof *m->col_index); // OK
    if (!m->values || !m->row_index || !m->col_index) {
        free(m->values);
        free(m->row_index);
        free(m->col_index);
        free(m);
        return NULL;
    }
    m->rows = m->cols = n;
    return m;
}

struct matrix *only_the_struct_freed(int n) {
    struct matrix *m = calloc(1, sizeof *m); // OK
    if (m == NULL)
        return NULL;
    m->values = calloc(n, sizeof *m->values);       // LEAK v
    m->row_index = calloc(n, sizeof *m->row_index); // LEAK r
    if (!m->values || !m->row_index) {
        free(m); // LOST v; LOST r
        return NULL;
    }
    m->rows = m->cols = n;
    return m;
}

static int matrix_init(struct matrix *m, int n) {
    m->values = malloc(n * sizeof *m->values); // LEAK partial
    if (m->values == NULL)
        return -1;
    m->row_index = malloc(n * sizeof *m->row_index); // OK
    if (m->row_index == NULL)
        return -1;
    m->col_index = NULL;
    return 0;
}

int caller_gives_up_on_a_partial_init(int n) {
    struct matrix m;
    if (matrix_init(&m, n) < 0) // LEAK partial
        return -1;              // LOST partial
    free(m.values);
    free(m.row_index);
    return 0;
}
