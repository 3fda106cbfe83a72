// Figure 5: freed when not null is freed whenever it was allocated.
#include <malloc.h>
#include <stdlib.h>

void freed_when_not_null(void) {
    long *buffer;
    size_t size;
    buffer = (long *)malloc(1000 * sizeof(long)); // OK
    size = malloc_usable_size(buffer);
    (void)size;
    if (buffer != NULL)
        free(buffer);
}

void freed_when_null(void) {
    long *buffer;
    buffer = (long *)malloc(1000 * sizeof(long)); // LEAK buffer
    if (buffer == NULL)
        free(buffer);
} // LOST buffer
