// Sizes and lengths at the ends of what a number can hold: no shift, sum or product of ours may overflow
// (the sanitizer build looks), and what leaks is found all the same.
#include <stdlib.h>
#include <string.h>

char *nearly_all(void)
{
    char *p = malloc(0x7fffffffffffffffUL); // OK
    if (!p) return NULL;
    p[0x7ffffffffffffff0UL] = 1;
    return p;
}

char *shifted(size_t n)
{
    char *p = malloc(n << 62); // OK
    if (!p) return NULL;
    memset(p, 0, n << 61);
    return p;
}

void grown_beyond(int n)
{
    char *p = malloc(16);
    if (!p) return;
    char *q = realloc(p, 0x7fffffffffffffffUL); // LEAK q LIKELY because UNDECIDED: no replay fills so much memory
    if (!q) {
        free(p);
        return;
    }
    memset(q, 1, 0xffffffffffffffffUL);
    if (n) return; // LOST q
    free(q);
}

void never_grown(int n)
{
    char *p = malloc(16);
    if (!p) return;
    char *q = realloc(p, 0x8000000000000000UL); // OK: more than any allocation gives
    if (!q) {
        free(p);
        return;
    }
    if (n) return;
    free(q);
}

void product(size_t n)
{
    void *p = calloc(n, 0x4000000000000000UL); // OK
    free(p);
}
