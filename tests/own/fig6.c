// Fig. 6 of the paper: two places where nothing is freed are one warning.
#include <stdlib.h>

void use(const char *a);

void multi_violation(int c0, int c1)
{
    void *a = malloc(8);
    if (c0) {
        free(a);
    } else if (c1) {
        use(a);
    } else {
        use(a);
    }
}
