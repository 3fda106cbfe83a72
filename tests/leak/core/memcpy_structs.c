// Struct copies: by assignment, memcpy, memmove; a copied pointer is one more reference.
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    int length;
};

void freed_through_the_copy(void) {
    struct text a, b;
    a.bytes = malloc(4); // OK
    a.length = 4;
    memcpy(&b, &a, sizeof b);
    free(b.bytes);
}

void freed_through_both_copies(void) {
    struct text a, b;
    a.bytes = malloc(4); // OK
    a.length = 4;
    b = a;
    free(a.bytes);
    free(b.bytes); // DOUBLE-FREE
}

void copy_keeps_it_alive(struct text *out) {
    struct text a;
    a.bytes = malloc(4); // OK
    a.length = 4;
    *out = a;
}

void only_the_length_copied(struct text *out) {
    struct text a;
    a.bytes = malloc(4); // LEAK bytes
    a.length = 4;
    out->length = a.length;
} // LOST bytes

void moved_within_an_array(void) {
    struct text all[3];
    for (int i = 0; i < 3; i++) {
        all[i].bytes = malloc(4); // OK
        all[i].length = i;
    }
    free(all[0].bytes);
    memmove(&all[0], &all[1], 2 * sizeof all[0]);
    free(all[0].bytes);
    free(all[1].bytes);
}

struct text *copied_to_the_heap(void) {
    struct text a;
    a.bytes = malloc(4); // LEAK copied
    a.length = 4;
    struct text *p = malloc(sizeof *p); // OK
    if (p == NULL)
        return NULL; // LOST copied
    memcpy(p, &a, sizeof a);
    return p;
}

void shallow_copy_of_a_heap_struct(const struct text *from) {
    struct text *p = malloc(sizeof *p); // OK
    if (p == NULL)
        return;
    *p = *from;
    free(p);
}
