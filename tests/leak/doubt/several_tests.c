// Two values that merged paths left open are tested on the way to a misuse: a path that has the one need not
// have the other.
// run: --level=likely
#include <stdlib.h>

int ask(int n);

void behind_two_open_tests(char *p, int how)
{
    int k = 0, m = 0;
    if (how & 1) k += ask(1);
    if (how & 2) m += ask(2);
    if (how & 4) k += ask(3);
    if (how & 8) m += ask(4);
    if (how & 16) k += ask(5);
    if (how & 32) m += ask(6);
    if (k > 3 && m > 3) {
        free(p);
        free(p); // nothing is told
    }
}

void behind_none(char *p)
{
    free(p);
    free(p); // DOUBLE-FREE SURE
}
