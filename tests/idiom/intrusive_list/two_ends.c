// A queue has a first and a last element, or neither. What was put at its end stays in it when more is
// put there.
#include <stdlib.h>
#include <string.h>

struct entry {
    void *data;
    struct entry *next;
};

struct queue {
    struct entry *head, *tail;
};

static struct entry *entry_new(void *data)
{
    struct entry *e = calloc(1, sizeof *e);
    if (e == NULL)
        abort();
    e->data = data;
    return e;
}

void queue_add(struct queue *q, void *data)
{
    struct entry *e = entry_new(data);
    if (q->tail)
        q->tail->next = e;
    q->tail = e;
    if (!q->head)
        q->head = e;
}

void *queue_take(struct queue *q)
{
    struct entry *e = q->head;
    if (e == NULL)
        return NULL;
    if (!e->next)
        q->head = q->tail = NULL;
    else
        q->head = e->next;
    void *data = e->data;
    free(e);
    return data;
}

void two_are_added(struct queue *q)
{
    queue_add(q, strdup("one")); // OK
    queue_add(q, strdup("two")); // OK
}

// The current element may be none while there is a first one.
struct reader {
    struct entry *first, *current;
};

void reader_add(struct reader *r, void *data)
{
    struct entry *e = entry_new(data);
    if (r->current)
        r->current->next = e;
    r->current = e;
    if (!r->first)
        r->first = e;
}

void reader_stop(struct reader *r)
{
    r->current = NULL;
}

void two_are_read(struct reader *r)
{
    reader_add(r, strdup("one")); // LEAK at_current
    reader_add(r, strdup("two")); // LOST at_current
}

// Two lists, one of which may be empty.
struct lists {
    struct entry *used, *unused;
};

void lists_use(struct lists *l, int more)
{
    struct entry *e = entry_new(NULL); // LEAK unused
    if (more)
        l->unused = entry_new(NULL);
    if (l->used && !l->unused)
        return; // LOST unused
    free(e);
}
