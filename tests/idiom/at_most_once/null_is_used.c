// realloc fails, and its null overwrites the last pointer: where the very next thing is to write through
// it, or to give up, the process ends there and loses the block once. Where the null is looked at
// and the function goes on, every later call may lose another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *data;
    size_t length;
};

void copied_to(struct buffer *b, const char *text, size_t n) {
    char *data = malloc(1); // LEAK first ONCE because PROCESS_ENDS
    if (data == NULL)
        return;
    data = realloc(data, n + 1); // LOST first
    memcpy(data, text, n + 1);
    b->data = data;
    b->length = n;
}

void cleared(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK filled LIKELY ONCE because PROCESS_ENDS
    memset(b->data, 0, n);
    b->length = n;
}

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            fprintf(stderr, "failed: %s\n", #x);                                                   \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

void asserted(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK asserted LIKELY ONCE because PROCESS_ENDS
    MUST(b->data != NULL);
    b->length = n;
}

int looked_at(struct buffer *b, size_t n) {
    b->data = realloc(b->data, n); // LEAK looked LIKELY MEMORY-SHORT
    if (b->data == NULL)
        return -1;
    memset(b->data, 0, n);
    b->length = n;
    return 0;
}
