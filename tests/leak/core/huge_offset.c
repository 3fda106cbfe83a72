// Objects of more than 2 GiB: what is far behind is not what is in front.
#include <stdlib.h>

struct huge {
    char bytes[1UL << 46];
    char *name;
    int n;
};

int far_apart(struct huge *h)
{
    h->name = malloc(3); // OK: kept in the caller's struct
    if (!h->name) return -1;
    h->bytes[1UL << 45] = 1;
    h->bytes[0] = 1;
    return 0;
}

void far_apart_on_the_stack(int n)
{
    static struct huge h;
    h.bytes[0] = 1;
    char *p = malloc(8); // LEAK p LIKELY because UNDECIDED: no replay has so much memory
    if (!p) return;
    p[0] = 1;
    h.bytes[1UL << 40] = p[0];
    if (n) return; // LOST p
    free(p);
}

void there_and_back(void)
{
    char *p = malloc(8); // OK
    if (!p) return;
    char *q = p + (1UL << 40);
    free(q - (1UL << 40));
}
