// A stack of buffers, as scanners have one: the one that is already on top is not put there again.
#include <stdlib.h>
#include <string.h>

struct buffer {
    char *text;
};

static struct buffer **stack;
static size_t top, room;

static void make_room(void)
{
    if (!stack) {
        stack = malloc(sizeof *stack);
        if (!stack)
            abort();
        memset(stack, 0, sizeof *stack);
        room = 1;
        top = 0;
        return;
    }
    if (top >= room - 1) {
        size_t n = room + 8;
        stack = realloc(stack, n * sizeof *stack);
        if (!stack)
            abort();
        memset(stack + room, 0, 8 * sizeof *stack);
        room = n;
    }
}

struct buffer *make_buffer(size_t n)
{
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        abort();
    b->text = malloc(n + 2); // ALSO text
    if (!b->text)
        abort();
    return b;
}

void switch_to(struct buffer *b)
{
    make_room();
    if (stack[top] == b)
        return;
    stack[top] = b;
}

void push_a_new_one(void)
{
    switch_to(make_buffer(100)); // OK
}

static void look_at(struct buffer *b)
{
    make_room();
    if (stack[top] != b && b->text[0] == 0)
        top = 0;
}

void only_looked_at(void)
{
    struct buffer *b = make_buffer(100); // MISSED seen: for the sound mode, as only the stack's state tells
    look_at(b);
}

struct buffer *current(void)
{
    return stack ? stack[top] : NULL;
}
