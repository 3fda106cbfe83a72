// Locals that nothing was assigned to: one has the same value wherever it is read, two need not be
// equal.
#include <stdlib.h>

void the_same_test_twice(void) {
    int n;
    int *p = malloc(10); // OK
    if (n > 0)
        free(p);
    else if (n <= 0)
        free(p);
}

int two_of_them(int count) {
    int kind, edges;
    int *p = malloc(10); // LEAK p LIKELY because UNDECIDED
    for (int i = 0; i < count; i++)
        if (kind == 4 && edges == 2)
            return -1; // LOST p
    free(p);
    return 0;
}
