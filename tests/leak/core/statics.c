// Static locals keep their block from call to call.
#include <stdlib.h>
#include <string.h>

char *buffer_made_once(void) {
    static char *buffer;
    if (buffer == NULL)
        buffer = malloc(100); // OK
    return buffer;
}

char *buffer_grown(size_t n) {
    static char *buffer;
    static size_t size;
    if (n > size) {
        free(buffer);
        buffer = malloc(n); // OK
        size = buffer == NULL ? 0 : n;
    }
    return buffer;
}

char *previous_replaced(const char *s) {
    static char *last;
    free(last);
    last = strdup(s); // OK
    return last;
}

const char *overwritten_within_one_call(const char *s) {
    static char *last;
    free(last);
    last = strdup(s); // LEAK once
    if (last != NULL && last[0] == ' ')
        last = strdup(s + 1); // LOST once
    return last;
}

int result_is_borrowed_from_a_static(void) {
    char *p = buffer_made_once();
    return p != NULL;
}
