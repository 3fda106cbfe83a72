// Containers in containers in containers, and functions that carry constraints along: what they are
// handed they free, or only look at.
// run: --spec stack.own
#include "stack.h"

static void free_deeply(void *s)
{
    stack_free_all(s, free);
}

static void free_two_levels(void *s)
{
    stack_free_all(s, free_deeply);
}

static void look(void *p)
{
    *(char *)p = 0;
}

void three_levels_freed_deeply(void)
{
    stack *outer = stack_alloc(), *middle = stack_alloc(), *inner = stack_alloc(); // OK
    stack_push(inner, malloc(4)); // OK
    stack_push(middle, inner);
    stack_push(outer, middle);
    stack_free_all(outer, free_two_levels);
}

void innermost_level_forgotten(void)
{
    stack *outer = stack_alloc(), *middle = stack_alloc(), *inner = stack_alloc();
    stack_push(inner, malloc(4)); // LEAK innermost
    stack_push(middle, inner);
    stack_push(outer, middle);
    stack_free_all(middle, (drop)stack_free); // LOST innermost
    stack_free(outer);
}

void freed_by_a_function_that_only_looks(void)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // LEAK looked
    stack_free_all(s, look); // LOST looked
}

static void free_with(stack *s, drop f)
{
    stack_free_all(s, f);
}

void through_a_parameter(void)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // OK
    free_with(s, free);
}

void through_a_parameter_shallowly(void)
{
    stack *s = stack_alloc(); // OK
    stack_push(s, malloc(4)); // LEAK through
    free_with(s, look); // LOST through
}

void inner_stack_in_two_owners(void)
{
    stack *a = stack_alloc(), *b = stack_alloc();
    stack *inner = stack_alloc();
    stack_push(a, inner);
    stack_push(b, inner); // DOUBLE-FREE LIKELY because UNDECIDED
    stack_free_all(a, (drop)stack_free);
    stack_free_all(b, (drop)stack_free);
}

void inner_stack_lent_to_the_second(void)
{
    stack *a = stack_alloc(), *b = stack_alloc(); // OK
    stack *inner = stack_alloc(); // OK
    stack_push(a, inner);
    stack_push(b, inner);
    stack_free(b);
    stack_free_all(a, (drop)stack_free);
}
