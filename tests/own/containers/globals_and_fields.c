// Containers that globals and fields lead to: what one function puts in, another one frees.
// run: --spec stack.own --level=likely
#include "stack.h"

static stack *shallow, *deep, *emptied, *lent;

void start(void)
{
    shallow = stack_alloc(); // OK
    deep = stack_alloc();    // OK
    emptied = stack_alloc(); // OK
    lent = stack_alloc();    // OK
}

void add_to_shallow(void)
{
    int *p = malloc(sizeof *p); // LEAK elements
    stack_push(shallow, p);
}

void stop_shallow(void)
{
    stack_free(shallow); // LOST elements
}

void add_to_deep(void)
{
    int *p = malloc(sizeof *p); // OK
    stack_push(deep, p);
}

void stop_deep(void)
{
    stack_free_all(deep, free);
}

// Somebody takes them out: it may be empty when it is freed.
void add_to_emptied(void)
{
    int *p = malloc(sizeof *p); // OK
    stack_push(emptied, p);
}

void take_one(void)
{
    free(stack_pop(emptied));
}

void stop_emptied(void)
{
    stack_free(emptied);
}

void lend(int *p)
{
    stack_push(lent, p);
    free(p);
}

void stop_lent(void)
{
    stack_free(lent);
}

struct server {
    stack *jobs;  // owns its elements, and is freed without them
    stack *names; // freed with its elements
};

void server_start(struct server *s)
{
    s->jobs = stack_alloc();  // OK
    s->names = stack_alloc(); // OK
}

void server_job(struct server *s)
{
    int *job = malloc(sizeof *job); // LEAK jobs LIKELY because FIELD_INSTANCE
    stack_push(s->jobs, job);
}

void server_name(struct server *s)
{
    char *name = malloc(20); // OK
    stack_push(s->names, name);
}

void server_stop(struct server *s)
{
    stack_free(s->jobs); // LOST jobs
    stack_free_all(s->names, free);
}
