// A way out that needs a counter to wrap around.
// run: --level=likely
#include <stdlib.h>

int stop;

void until_it_wraps(void) {
    int *p = malloc(100); // LEAK wraps LIKELY because COUNTER_WRAPS
    if (p == NULL)
        return;
    for (int i = 0; i >= 0; i++)
        if (stop) {
            free(p);
            return;
        }
} // LOST wraps
