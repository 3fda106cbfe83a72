// What ownership alone says, without following paths: for the audit.
// run: --level=audit
#include <stdlib.h>

int ask(void);

int by_two_equal_tests(int n)
{
    char *p = malloc(4); // LEAK paths AUDIT because OWNERSHIP
    if (!p) return -1;
    int k = n > 3;
    if (k) ask();
    if (n > 3) {
        free(p);
        return 1;
    }
    if (!k) free(p);
    return 0;
} // LOST paths

struct holder {
    char *text;
};

void fill(struct holder *h)
{
    h->text = malloc(4); // LEAK before AUDIT because FIELD_OWNER
}

void drop(struct holder *h)
{
    free(h->text);
    free(h);
}
