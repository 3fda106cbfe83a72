// An interpreter: one table by opcode, one of handlers that a debugger may set, and hooks.
#include <stddef.h>
struct vm {
    long stack[16];
    int top;
    void (*hook)(struct vm *);
    void (*halt)(struct vm *);
};
static void op_push(struct vm *v) { v->stack[v->top++] = 1; }
static void op_pop(struct vm *v) { v->top--; }
static void op_add(struct vm *v) { v->stack[v->top - 2] += v->stack[v->top - 1]; }
static void op_jump(struct vm *v) { v->top = 0; }
static void trace(struct vm *v) { v->stack[0] = v->top; }
static void stop(struct vm *v) { v->top = -1; }
static void reset(struct vm *v) { v->top = 0; }
static void (*const ops[])(struct vm *) = {op_push, op_pop, op_add, op_jump};
static void (*at_start)(struct vm *), (*at_end)(struct vm *);
static void run(struct vm *v, const unsigned char *code, size_t n)
{
    if (at_start) at_start(v); // CALLS reset
    for (size_t i = 0; i < n; i++) {
        if (v->hook) v->hook(v); // CALLS trace
        ops[code[i] & 3](v); // CALLS op_push, op_pop, op_add, op_jump
    }
    v->halt(v); // CALLS stop
    if (at_end) at_end(v); // CALLS stop, reset
}
int main(int argc, char **argv)
{
    struct vm v = {.hook = argc > 2 ? trace : NULL};
    v.halt = stop;
    at_start = reset;
    at_end = argc > 1 ? stop : reset;
    run(&v, (const unsigned char *)argv[0], 3);
    return v.top;
}
