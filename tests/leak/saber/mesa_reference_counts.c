// False positive of Saber: the old object is freed only when the assignment takes the last
// reference to it.
#include <stdlib.h>

struct object {
    int refcount;
};

static struct object *new_object(void) {
    struct object *o = malloc(sizeof *o); // LEAK p; LEAK q
    if (o == NULL)
        abort();
    o->refcount = 1;
    return o;
}

static void assign(struct object **x, struct object *y) {
    if (*x != NULL) {
        if ((*x)->refcount == 1)
            free(*x);
        else
            (*x)->refcount--;
    }
    *x = y; // LOST p
    if (y != NULL)
        y->refcount++;
}

void both_released(void) {
    struct object *p = new_object(); // OK
    struct object *q = new_object(); // OK
    assign(&p, q);
    assign(&p, NULL);
    assign(&q, NULL);
}

void one_reference_too_many(void) {
    struct object *p = new_object(); // OK
    struct object *q = new_object(); // LEAK q
    assign(&p, q);
    assign(&q, NULL);
} // LOST q

void counted_up_before_the_assignment(void) {
    struct object *p = new_object(); // LEAK p
    struct object *q = new_object(); // OK
    p->refcount++;
    assign(&p, q); // LOST p
    assign(&p, NULL);
    assign(&q, NULL);
}
