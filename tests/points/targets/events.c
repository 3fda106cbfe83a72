// Registered callbacks with a context: lists of handlers, and timers, of one signature.
#include <stdlib.h>
typedef void (*Handler)(void *context);
struct node {
    Handler call;
    void *context;
    struct node *next;
};
static struct node *on_read, *on_write;
static void subscribe(struct node **list, Handler h, void *context)
{
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->call = h;
    n->context = context;
    n->next = *list;
    *list = n;
}
static void log_read(void *c) { ++*(int *)c; }
static void count_read(void *c) { *(int *)c += 2; }
static void flush_write(void *c) { --*(int *)c; }
static struct {
    Handler due, late;
    void *context;
} timer;
static void tick(void *c) { *(int *)c = 1; }
static void expire(void *c) { *(int *)c = 0; }
static void cleanup(void *c) { *(int *)c = -1; }
static void fire(int what)
{
    // One function makes all nodes, so that which list they are in is not seen.
    if (what)
        for (struct node *n = on_read; n; n = n->next) n->call(n->context); // CALLS log_read, count_read
    else
        for (struct node *n = on_write; n; n = n->next) n->call(n->context); // CALLS flush_write
}
static void with(Handler h, void *c) { h(c); } // CALLS cleanup, tick
int main(int argc, char **argv)
{
    int count = 0;
    (void)argv;
    subscribe(&on_read, log_read, &count);
    subscribe(&on_read, count_read, &count);
    subscribe(&on_write, flush_write, &count);
    timer.due = tick;
    timer.late = expire;
    timer.context = &count;
    fire(argc);
    timer.due(timer.context); // CALLS tick
    if (argc > 2) timer.late(timer.context); // CALLS expire
    with(cleanup, &count);
    with(tick, &count);
    return count;
}
