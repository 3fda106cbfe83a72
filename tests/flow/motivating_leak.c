// The motivating example with its second release taken out: lost if !c.
#include <stdlib.h>
int c;
void bar(int *r)
{
    /* free(r); */ (void)r;
}
void foo(void)
{
    int *volatile a; // volatile keeps it in memory, as the slides have it
    int **p;
    int *volatile *q = &a;
    p = malloc(8);
    *q = (int *)p;
    if (c)
        free(*q);
    else
        bar((int *)p);
}
