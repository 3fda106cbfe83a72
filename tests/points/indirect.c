// Calls through pointers are as good as direct ones when their targets are known.
#include <stdlib.h>
struct ops {
    void *(*make)(void);
    void (*drop)(void *);
    void (*look)(const void *);
};
static void *make(void) { return malloc(8); }
static void drop(void *p) { free(p); }
static void look(const void *p) { (void)p; }
static void glance(void *p) { (void)p; }
static const struct ops good = {make, drop, look};
static const struct ops bad = {make, glance, look};
static void freed(const struct ops *o)
{
    void *p = good.make();
    good.look(p);
    good.drop(p);
    (void)o;
}
static void lost(const struct ops *o)
{
    void *p = o->make(); // LEAK
    o->look(p);
    bad.drop(p);
}
static void (*chosen)(void *);
static void by_variable(int n)
{
    chosen = drop;
    void *p = malloc((size_t)n);
    chosen(p);
}
int main(int argc, char **argv)
{
    (void)argv;
    freed(&good);
    lost(argc > 1 ? &good : &bad);
    by_variable(argc);
    return 0;
}
