// A queue that may be missing; a static function whose every call passes one.
#include <stdlib.h>

struct pair {
    int a, b;
};

struct queue {
    struct pair *items[8];
    int count;
};

static void put(struct queue *q, struct pair *p) {
    if (q->count < 8)
        q->items[q->count++] = p;
    else
        free(p);
}

static struct pair *make(struct queue *q, int a, int b) {
    struct pair *p = calloc(1, sizeof *p);
    if (p == NULL)
        abort();
    p->a = a;
    p->b = b;
    if (q)
        put(q, p);
    return p;
}

static void merge(struct queue *q, int a) {
    make(q, a, a + 1); // OK: the queue is always there
}

void merge_all(struct queue *all, int n) {
    struct queue q = {0};
    for (int i = 0; i < n; i++)
        merge(&q, i);
    *all = q;
}

void merge_into(struct queue *q, int a) {
    make(q, a, a + 1); // MISSED missing: for the sound mode, as no caller is seen without the queue
}
