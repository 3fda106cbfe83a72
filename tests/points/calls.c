// Dispatch tables, callbacks in structs, callbacks handed to library functions, wrappers.
#include <stdlib.h>
struct ops {
    int kind;
    int (*run)(int);
    void (*end)(void);
};
static int one(int x) { return x; }
static int two(int x) { return x + 1; }
static int three(int x) { return x + 2; }
static void end(void) {}
static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int (*const plain[])(int) = {one, two};
static struct ops table[] = {{1, one, end}, {2, three, 0}};
int from_plain(int i) { return plain[i](i); }
int from_table(int i) { return table[i].run(i); }
void last(void) { table[0].end(); }
static int from_struct(struct ops *o) { return o->run(2); }
static int handed(int (*f)(int), int x) { return f(x); }
extern int (*elsewhere)(int);
int from_elsewhere(int x) { return elsewhere(x); }
static struct ops *make(int (*f)(int))
{
    struct ops *o = malloc(sizeof *o);
    o->run = f;
    return o;
}
static int made(struct ops *o) { return o->run(3); }
static void *fresh(size_t n)
{
    void *p = malloc(n);
    if (!p) abort();
    return p;
}
int main(void)
{
    struct ops o = {3, two, end};
    int a[3] = {3, 1, 2};
    qsort(a, 3, sizeof *a, by_size);
    struct ops *h = make(three);
    char *z = fresh(3);
    char *y = fresh(4);
    int r = made(h) + from_struct(&o) + handed(one, 1) + *z + *y;
    free(h);
    free(z);
    free(y);
    return r;
}
