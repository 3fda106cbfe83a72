// Grids: a block of rows, or one block with row pointers into it.
#include <stdlib.h>

static int **grid_new(int h, int w) {
    int **g = calloc(h, sizeof *g); // OK
    if (g == NULL)
        return NULL;
    for (int y = 0; y < h; y++) {
        g[y] = malloc(w * sizeof **g); // LEAK rows
        if (g[y] == NULL) {
            while (y-- > 0)
                free(g[y]);
            free(g);
            return NULL;
        }
    }
    return g;
}

static void grid_free(int **g, int h) {
    if (g == NULL)
        return;
    for (int y = 0; y < h; y++)
        free(g[y]);
    free(g);
}

int grid_used(int h, int w) {
    int **g = grid_new(h, w);
    if (g == NULL)
        return -1;
    grid_free(g, h);
    return 0;
}

int rows_left(int h, int w) {
    int **g = grid_new(h, w);
    if (g == NULL)
        return -1;
    free(g); // LOST rows
    return 0;
}

int **rows_lost_when_one_fails(int h, int w) {
    int **g = calloc(h, sizeof *g); // OK
    if (g == NULL)
        return NULL;
    for (int y = 0; y < h; y++) {
        g[y] = malloc(w * sizeof **g); // LEAK built
        if (g[y] == NULL) {
            free(g); // LOST built
            return NULL;
        }
    }
    return g;
}

int one_block_with_row_pointers(int h, int w) {
    if (h < 1)
        return -1;
    int **g = malloc(h * sizeof *g);         // OK
    int *cells = malloc(h * w * sizeof *cells); // OK
    if (g == NULL || cells == NULL) {
        free(g);
        free(cells);
        return -1;
    }
    for (int y = 0; y < h; y++)
        g[y] = cells + y * w;
    free(g[0]);
    free(g);
    return 0;
}
