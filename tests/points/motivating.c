// The motivating example of Saber's slides: p points to o, q to a, a to o.
#include <stdlib.h>
int c;
void bar(int *r)
{
    free(r);
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
