// A singly linked queue with a tail pointer, owned by a local.
#include <stdlib.h>

struct msg {
    struct msg *next;
    int value;
};

struct queue {
    struct msg *head;
    struct msg **tail;
};

static void queue_init(struct queue *q) {
    q->head = NULL;
    q->tail = &q->head;
}

static int queue_put(struct queue *q, int value) {
    struct msg *m = malloc(sizeof *m); // LEAK rest; LEAK taken
    if (m == NULL)
        return -1;
    m->value = value;
    m->next = NULL;
    *q->tail = m;
    q->tail = &m->next;
    return 0;
}

static struct msg *queue_take(struct queue *q) {
    struct msg *m = q->head;
    if (m == NULL)
        return NULL;
    q->head = m->next;
    if (q->head == NULL)
        q->tail = &q->head;
    return m;
}

void drained(void) {
    struct queue q;
    struct msg *m;
    queue_init(&q);
    queue_put(&q, 1);
    queue_put(&q, 2);
    while ((m = queue_take(&q)) != NULL)
        free(m);
}

void one_of_two_taken(void) {
    struct queue q;
    queue_init(&q);
    queue_put(&q, 1);
    queue_put(&q, 2); // LEAK rest
    free(queue_take(&q));
} // LOST rest

int taken_and_lost(void) {
    struct queue q;
    queue_init(&q);
    if (queue_put(&q, 1) < 0) // LEAK taken
        return -1;
    struct msg *m = queue_take(&q);
    return m->value; // LOST taken
}
