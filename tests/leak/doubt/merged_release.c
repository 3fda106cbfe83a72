// A callee whose paths were merged releases what was released before: which of its paths that is, is not
// known any more.
#include <stdlib.h>

int ask(int n);

struct text {
    char *at;
    int length;
};

static int finish(struct text *t, int how, int really)
{
    int k = 0;
    if (how & 1) k += ask(1);
    if (how & 2) k += ask(2);
    if (how & 4) k += ask(3);
    if (how & 8) k += ask(4);
    if (how & 16) k += ask(5);
    if (how & 32) k += ask(6);
    if (!really) return 0;
    free(t->at);
    t->length = k;
    return 1;
}

void freed_by_some_path_of_a_callee(struct text *t, int how)
{
    free(t->at);
    finish(t, how, 1); // DOUBLE-FREE LIKELY because MERGED_RELEASE
}
