// Errors that go by way of pointers: no object lies among the last 4095 addresses.
// run: --level=likely
#include <stdint.h>
#include <stdlib.h>

#define IS_ERR(p) ((uintptr_t)(p) >= (uintptr_t)-4095)
#define ERR_PTR(e) ((void *)(intptr_t)(e))
#define PTR_ERR(p) ((long)(intptr_t)(p))
struct dev { int id; };
struct dev *dev_get(int id)
{
    if (id < 0) return ERR_PTR(-22);
    struct dev *d = malloc(sizeof *d); // OK
    if (!d) return ERR_PTR(-12);
    d->id = id;
    return d;
}
int dev_use(int id)
{
    struct dev *d = dev_get(id);
    if (IS_ERR(d)) return (int)PTR_ERR(d);
    int r = d->id;
    free(d);
    return r;
}
static inline int is_err(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }
int dev_use_inline(int id)
{
    struct dev *d = dev_get(id);
    if (is_err(d)) return -1;
    free(d);
    return 0;
}
int dev_use_macro(int id)
{
    struct dev *d = dev_get(id);
    if (!d || IS_ERR(d)) return -1;
    int r = d->id;
    free(d);
    return r;
}
int dev_forgotten(int id)
{
    struct dev *d = dev_get(id); // LEAK dev
    if (IS_ERR(d)) return -1;
    return d->id; // LOST dev
}
int malloc_is_err(void)
{
    char *p = malloc(10); // OK
    if (is_err(p)) return -1;
    free(p);
    return 0;
}
