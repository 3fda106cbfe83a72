// A table of no rows has no cells, however long a row is. One that is kept by its second row alone is lost where there
// is only one.
#include <stdlib.h>

void table_by_rows(int rows, int columns, float ***to)
{
    float *cells = malloc(rows * columns * sizeof *cells); // LEAK rows LIKELY because EMPTY_BLOCK
    float **table = malloc(rows * sizeof *table);          // OK
    if (!cells || !table)
        abort();
    *to = table;
    for (int i = 0; i < rows; i++) {
        table[i] = cells;
        cells += columns;
    }
} // LOST rows

void table_without_first_row(int rows, int columns, float ***to)
{
    float *cells = malloc(rows * columns * sizeof *cells); // LEAK second
    float **table = malloc(rows * sizeof *table);          // OK
    if (!cells || !table)
        abort();
    *to = table;
    for (int i = 1; i < rows; i++) {
        table[i] = cells;
        cells += columns;
    }
} // LOST second

// The same table again, with room for others.
void table_resized(int rows, int columns, float ***table)
{
    float **to = *table, *cells = to ? realloc(to[0], rows * columns * sizeof *cells) // LEAK resized LIKELY because EMPTY_BLOCK
                                     : NULL;
    if (!to)
        return;
    float **more = realloc(to, rows * sizeof *to); // OK
    if (!more && rows > 0)
        abort();
    *table = to = more;
    for (int i = 0; i < rows; i++) {
        to[i] = cells;
        cells += columns;
    }
} // LOST resized
