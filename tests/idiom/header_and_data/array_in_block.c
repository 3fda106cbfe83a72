// A write of unknown length into an array of a block ends with the array, also where the only pointer to the
// block is a variable whose address is taken.
#include <stdlib.h>
#include <string.h>

struct box {
    char head[8];
    char text[64];
    int owned;
    char *name;
};

static int start(struct box **b)
{
    *b = malloc(sizeof **b);
    if (*b == NULL)
        return -1;
    (*b)->name = malloc(4); // LEAK name
    (*b)->owned = 1;
    return 0;
}

static void fill(char *text, const char *from, size_t n)
{
    memcpy(text, from, n);
}

int the_name_is_forgotten(const char *from, size_t n)
{
    struct box *b;
    if (start(&b) < 0)
        return -1;
    fill(b->text, from, n);
    int found = b->text[0];
    free(b); // LOST name
    return found;
}

int freed_where_it_is_owned(const char *from, size_t n)
{
    struct box *b;
    if (start(&b) < 0)
        return -1;
    fill(b->text, from, n);
    if (b->owned)
        free(b->name);
    free(b);
    return 0;
}

int numbers_of_the_next_function(int a, int b, int c, int d)
{
    int low = a < b ? a : b;
    int high = c < d ? c : d;
    return low + high;
}
