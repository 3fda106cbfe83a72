// The regions of Saber's slides: p -> {x, y, v}, q -> {x, z, w}; bar modifies z. x, y and z are not
// foo's own, v and w are.
#include <stdlib.h>
static void bar(char **z)
{
    *z = malloc(3);
}
static char *foo(char **x, char **y, char **z, int c)
{
    char *v = malloc(1), *w = malloc(2), *s = malloc(4);
    char **p = c == 0 ? x : c == 1 ? y : &v;
    char **q = c == 0 ? x : c == 1 ? z : &w;
    char *r = *p;
    *q = s;
    bar(z);
    free(w);
    return r;
}
int main(int argc, char **argv)
{
    (void)argv;
    char *x = malloc(5), *y = malloc(6), *z = malloc(7);
    char *r = foo(&x, &y, &z, argc);
    free(r);
    free(x);
    free(y);
    free(z);
    return 0;
}
