// A call in a loop loses what is held, in a round that stands for many.
#include <stdlib.h>

struct slot {
    char *p;
};

static void put(struct slot *s, char *p)
{
    s->p = p;
}

void lost_in_some_round(int n)
{
    struct slot s = {malloc(8)}; // LEAK held LIKELY because LOOP_ROUNDS
    if (!s.p) return;
    for (int i = 0; i < n; i++)
        if (i > 10) put(&s, NULL); // LOST held
    free(s.p);
}

void lost_by_a_call(int n)
{
    struct slot s = {malloc(8)}; // LEAK plain SURE
    if (!s.p) return;
    if (n > 10) put(&s, NULL); // LOST plain
    free(s.p);
}
