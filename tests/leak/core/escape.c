// Escapes: what others can still reach is not lost.
#include <stdlib.h>

struct box {
    int *held;
    struct box *next;
};

static struct box *boxes;
extern void keep(int *);
extern void look(const int *);
extern void register_box(struct box *);

int *returned(void) {
    return malloc(4); // OK
}

void stored_in_the_argument(struct box *b) {
    b->held = malloc(4); // OK
}

void stored_in_a_global_list(void) {
    struct box *b = calloc(1, sizeof *b); // OK
    if (b == NULL)
        return;
    b->held = malloc(4); // OK
    b->next = boxes;
    boxes = b;
}

void given_to_unknown_code(void) {
    int *p = malloc(4); // OK
    keep(p);
}

void shown_to_unknown_code(void) {
    int *p = malloc(4); // LEAK shown
    look(p);
} // LOST shown

void inside_what_unknown_code_keeps(void) {
    struct box *b = calloc(1, sizeof *b); // OK
    if (b == NULL)
        return;
    register_box(b);
    b->held = malloc(4); // OK
}

void inside_a_local_that_unknown_code_saw(void) {
    struct box b = {0};
    register_box(&b);
    b.held = malloc(4); // LEAK inside
} // LOST inside

struct box *held_by_the_result(void) {
    struct box *b = calloc(1, sizeof *b); // OK
    if (b != NULL)
        b->held = malloc(4); // OK
    return b;
}

void held_by_a_local_only(void) {
    struct box b;
    b.held = malloc(4); // LEAK local
    b.next = NULL;
} // LOST local

void not_stored_when_null(struct box *b) {
    int *p = malloc(4); // LEAK nowhere
    if (b != NULL)
        b->held = p;
} // LOST nowhere
