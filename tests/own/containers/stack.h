#include <stdlib.h>

typedef struct stack_t {
    int size;
    void **arr;
} stack;

stack *stack_alloc(void);
void stack_push(stack *s, void *e);
void *stack_pop(stack *s);
void *stack_at(stack *s, int i);
void stack_free(stack *s);
void stack_free_all(stack *s, void (*f)(void *));

typedef void (*drop)(void *);
