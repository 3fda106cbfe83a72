// Double deletes through two owners, with their clean twins.
// run: --spec stack.own
#include "stack.h"

void freed_by_the_stack_and_by_hand(void)
{
    stack *s = stack_alloc();
    int *p = malloc(sizeof *p);
    stack_push(s, p);
    stack_free_all(s, free);
    free(p); // DOUBLE-FREE LIKELY because UNDECIDED
}

void freed_by_the_stack_only(void)
{
    stack *s = stack_alloc();   // OK
    int *p = malloc(sizeof *p); // OK
    stack_push(s, p);
    *p = 1;
    stack_free_all(s, free);
}

void two_stacks_own_it(void)
{
    stack *a = stack_alloc(), *b = stack_alloc();
    int *p = malloc(sizeof *p);
    stack_push(a, p);
    stack_push(b, p); // DOUBLE-FREE LIKELY because UNDECIDED
    stack_free_all(a, free);
    stack_free_all(b, free);
}

void one_of_two_stacks_owns_it(void)
{
    stack *a = stack_alloc(), *b = stack_alloc(); // OK
    int *p = malloc(sizeof *p); // OK
    stack_push(a, p);
    stack_push(b, p);
    stack_free(b);
    stack_free_all(a, free);
}

void drained_then_freed_shallowly(int n)
{
    stack *s = stack_alloc(); // OK
    for (int i = 0; i < n; i++) stack_push(s, malloc(4)); // OK
    for (int i = 0; i < n; i++) free(stack_pop(s));
    stack_free(s);
}

static stack *build(void)
{
    stack *s = stack_alloc();
    stack_push(s, malloc(8));
    return s;
}

void built_elsewhere_and_freed_shallowly(void)
{
    stack *s = build(); // LEAK built
    stack_free(s); // LOST built
}

void built_elsewhere_and_freed_deeply(void)
{
    stack *s = build(); // OK
    stack_free_all(s, free);
}

void a_flag_says_who_owns(int own)
{
    stack *s = stack_alloc(); // OK
    char *p = malloc(3); // OK
    stack_push(s, p);
    if (own) {
        stack_free_all(s, free);
    } else {
        stack_free(s);
        free(p);
    }
}

struct holder {
    stack *s;
};

void opened_by_hand(struct holder *h)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, malloc(8)); // OK
    for (int i = 0; i < s->size; i++) free(s->arr[i]);
    stack_free(s);
    h->s = NULL;
}

int looked_at_and_freed_shallowly(void)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, calloc(1, sizeof(int))); // LEAK looked
    int *p = stack_at(s, 0);
    int n = *p;
    stack_free(s); // LOST looked
    return n;
}

void freed_through_looks(int n)
{
    stack *s = stack_alloc(); // OK
    for (int i = 0; i < n; i++) stack_push(s, malloc(4)); // OK
    for (int i = 0; i < n; i++) free(stack_at(s, i));
    stack_free(s);
}

void freed_through_the_last_look(int n)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // OK
    void *p = NULL;
    for (int i = 0; i < n; i++) p = stack_at(s, i);
    stack_free(s);
    free(p);
}

// No path leads to the loss: the evaluation contradicts the inference.
void never_lost(int n)
{
    if (n > 5) {
        if (n < 3) {
            stack *s = stack_alloc();   // OK
            int *p = malloc(sizeof *p); // OK
            stack_push(s, p);
            stack_free(s);
        }
    }
}
