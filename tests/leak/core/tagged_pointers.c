// Pointers in integers: a low bit as a tag, pointers through uintptr_t and back.
#include <stdint.h>
#include <stdlib.h>

static uintptr_t with_tag(void *p) {
    return (uintptr_t)p | 1;
}

static void *without_tag(uintptr_t word) {
    return (void *)(word & ~(uintptr_t)7);
}

void tagged_and_freed(void) {
    int *p = malloc(16); // OK
    uintptr_t word = with_tag(p);
    free(without_tag(word));
}

void tagged_and_forgotten(void) {
    int *p = malloc(16); // LEAK tagged
    uintptr_t word = with_tag(p);
    (void)word;
} // LOST tagged

struct slot {
    uintptr_t word;
};

void kept_tagged_in_a_struct(struct slot *s) {
    int *p = malloc(16); // OK
    s->word = (uintptr_t)p | 2;
}

void there_and_back(void) {
    char *p = malloc(16); // OK
    long n = (long)p;
    p = NULL;
    free((char *)n);
}

void freed_when_the_tag_is_set(int heap) {
    static int fixed;
    uintptr_t word = (uintptr_t)&fixed;
    if (heap)
        word = (uintptr_t)malloc(16) | 1; // OK
    if (word & 1)
        free((void *)(word & ~(uintptr_t)1));
}

void interior_pointer_is_a_reference(void) {
    char *p = malloc(16); // OK
    if (p == NULL)
        return;
    char *middle = p + 8;
    p = NULL;
    free(middle - 8);
}

void interior_pointer_lost_too(void) {
    char *p = malloc(16); // LEAK middle
    if (p == NULL)
        return;
    char *middle = p + 8;
    p = NULL;
    middle = NULL; // LOST middle
    (void)middle;
}
