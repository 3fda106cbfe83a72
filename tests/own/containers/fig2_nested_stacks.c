// The program of Fig. 2 of the polymorphic Clouseau paper with the specs of its Fig. 5, and its
// mutations.
// run: --spec stack.own
#include "stack.h"

void nested_stack_of_ints(void)
{
    stack *s = stack_alloc();   // OK
    int *p = malloc(sizeof *p); // OK
    stack_push(s, p);
    stack *ss = stack_alloc(); // OK
    stack_push(ss, s);
    void (*f)(stack *) = &stack_free;
    stack_free_all(ss, (drop)f);
    free(p);
}

void line_8_removed(void)
{
    stack *s = stack_alloc();   // OK
    int *p = malloc(sizeof *p); // LEAK p
    stack_push(s, p);
    stack *ss = stack_alloc(); // OK
    stack_push(ss, s);
    void (*f)(stack *) = &stack_free;
    stack_free_all(ss, (drop)f);
} // LOST p

void outer_stack_freed_shallowly(void)
{
    stack *s = stack_alloc();   // LEAK s
    int *p = malloc(sizeof *p); // OK
    stack_push(s, p);
    stack *ss = stack_alloc(); // OK
    stack_push(ss, s);
    stack_free(ss);
    free(p);
} // LOST s

void element_freed_twice(void)
{
    stack *s = stack_alloc();
    int *p = malloc(sizeof *p);
    stack_push(s, p);
    stack *ss = stack_alloc();
    stack_push(ss, s);
    stack_free_all(ss, (drop)stack_free);
    free(p);
    free(p); // DOUBLE-FREE
}

void one_stack_owns_the_other_does_not(void)
{
    stack *a = stack_alloc(), *b = stack_alloc(); // OK
    int *p = malloc(sizeof *p); // OK
    int *q = malloc(sizeof *q); // OK
    stack_push(a, p);
    stack_push(b, q);
    stack_free_all(a, free);
    stack_free(b);
    free(q);
}

void owned_stacks_of_owned_elements_freed_shallowly(void)
{
    stack *ss = stack_alloc(), *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // LEAK inner
    stack_push(ss, s);
    stack_free_all(ss, (drop)stack_free); // LOST inner
}

static void free_with_elements(void *s)
{
    stack_free_all(s, free);
}

void owned_stacks_of_owned_elements_freed_deeply(void)
{
    stack *ss = stack_alloc(), *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // OK
    stack_push(ss, s);
    stack_free_all(ss, free_with_elements);
}
