// A channel's queue is made by its constructor, and what makes queues ends the program for want of
// memory. That adding to the queue fails without one is then no way to lose what was to be added.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    void *data;
    struct entry *next;
};

struct queue {
    struct entry *head, *tail;
    unsigned count, users;
};

static void *get_memory(size_t size)
{
    if (size) {
        void *p = malloc(size);
        if (p)
            return p;
        fputs("no memory\n", stderr);
        abort();
    }
    return NULL;
}

static struct queue *hold(struct queue *q)
{
    if (!q)
        return NULL;
    q->users++;
    return q;
}

struct queue *queue_new(void)
{
    struct queue *q = get_memory(sizeof *q);
    q->head = NULL;
    q->tail = NULL;
    q->count = 0;
    q->users = 0;
    return hold(q);
}

int queue_add(struct queue *q, void *data)
{
    if (!q)
        return 0;
    struct entry *e = get_memory(sizeof *e);
    e->data = data;
    e->next = NULL;
    if (q->tail)
        q->tail->next = e;
    else
        q->head = e;
    q->tail = e;
    q->count++;
    return 1;
}

void queue_free(struct queue *q)
{
    while (q->head) {
        struct entry *e = q->head;
        q->head = e->next;
        free(e->data);
        free(e);
    }
    free(q);
}

// Every channel has its queue.
struct channel {
    int number;
    struct queue *waiting;
    void (*called)(void *);
};

struct channel *channel_new(int number)
{
    struct channel *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->number = number;
    c->waiting = queue_new();
    return c;
}

void channel_free(struct channel *c)
{
    queue_free(c->waiting);
    c->waiting = NULL;
    free(c);
}

static int put(struct channel *c, char *text)
{
    return queue_add(c->waiting, text);
}

int channel_send(struct channel *c, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return -1;
    if (!put(c, copy))
        return -1;
    return 0;
}

void (*notify)(struct channel *c);

// Whatever others have done to the channel, it has its queue.
int channel_send_late(struct channel *c, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return -1;
    notify(c);
    queue_add(c->waiting, copy);
    return 0;
}

// A port may be closed, and has no queue then.
struct port {
    int number;
    struct queue *queued;
};

struct port *port_new(int number)
{
    struct port *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->number = number;
    p->queued = queue_new();
    return p;
}

void port_close(struct port *p)
{
    queue_free(p->queued);
    p->queued = NULL;
}

int port_send(struct port *p, const char *text)
{
    char *copy = strdup(text); // LEAK copy
    if (copy == NULL)
        return -1;
    if (!queue_add(p->queued, copy))
        return -1;
    return 0;
}

// What makes the queue of a line may fail, and nobody asks.
struct line {
    int number;
    struct queue *lined;
};

struct line *line_new(int number)
{
    struct line *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    l->number = number;
    l->lined = calloc(1, sizeof *l->lined);
    return l;
}

void line_free(struct line *l)
{
    if (l->lined)
        queue_free(l->lined);
    free(l);
}

int line_send(struct line *l, const char *text)
{
    char *copy = strdup(text); // LEAK copy
    if (copy == NULL)
        return -1;
    if (!queue_add(l->lined, copy))
        return -1;
    return 0;
}

// One of the two that make a wire leaves the queue out.
struct wire {
    struct queue *kept;
    int number;
};

struct wire *wire_new(int number)
{
    struct wire *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->number = number;
    w->kept = queue_new();
    return w;
}

struct wire *wire_without(int number)
{
    struct wire *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->number = number;
    return w;
}

void wire_free(struct wire *w)
{
    if (w->kept)
        queue_free(w->kept);
    free(w);
}

int wire_send(struct wire *w, const char *text)
{
    char *copy = strdup(text); // LEAK copy
    if (copy == NULL)
        return -1;
    if (!queue_add(w->kept, copy))
        return -1;
    return 0;
}

// The queue is the first field, and the constructor puts null there before.
struct pipe {
    struct queue *first;
    int number;
};

struct pipe *pipe_new(int number)
{
    struct pipe *p = malloc(sizeof *p);
    if (p == NULL)
        return NULL;
    p->first = NULL;
    p->number = number;
    p->first = queue_new();
    return p;
}

void pipe_free(struct pipe *p)
{
    queue_free(p->first);
    free(p);
}

int pipe_send(struct pipe *p, const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        return -1;
    if (!queue_add(p->first, copy))
        return -1;
    return 0;
}
