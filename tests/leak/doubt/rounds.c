// A call in a loop loses what is held, in a round that stands for many.
// run: --level=audit
#include <stdlib.h>

struct slot {
    char *p;
};

static void put(struct slot *s, char *p)
{
    s->p = p; // LEAK kept AUDIT because FIELD_OWNER
}

void lost_in_some_round(int n)
{
    struct slot s = {malloc(8)}; // LEAK held AUDIT because LOOP_ROUNDS
    if (!s.p) return;
    for (int i = 0; i < n; i++)
        if (i > 10) put(&s, NULL); // LOST held
    free(s.p); // DOUBLE-FREE AUDIT because OWNERSHIP
}

void lost_by_a_call(int n)
{
    struct slot s = {malloc(8)}; // LEAK plain SURE
    if (!s.p) return;
    if (n > 10) put(&s, NULL); // LOST plain
    free(s.p); // DOUBLE-FREE AUDIT because OWNERSHIP
}
