// A misuse that nearly every user of a function would have, and that needs nothing to fail, would crash the program
// every time: it speaks against the analysis. A few of them are told.
// run: --level=likely
#include <stdlib.h>

struct part {
    int n;
};

static void end_part(struct part *p)
{
    free(p);
}

static void end_other(struct part *p)
{
    free(p);
}

#define USE(name, end)                                                                             \
    void name(const int *v, int n)                                                                 \
    {                                                                                              \
        struct part *p = malloc(sizeof *p);                                                        \
        if (!p) return;                                                                            \
        int k = 0;                                                                                 \
        for (int i = 0; i < n; i++) k += !!v[i];                                                    \
        end(p);                                                                                    \
        if (k > 90000000) end(p);                                                                  \
    }
USE(one, end_part)
USE(two, end_part)
USE(three, end_part)
USE(four, end_part)
USE(five, end_part)
USE(six, end_part)
USE(seven, end_part)
USE(alone, end_other) // DOUBLE-FREE LIKELY because OPEN_VALUE
