// A constructor that fails hands the half-built struct to its destructor: there the field that every
// finished struct has is null still, and what is lost on that way is lost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct queue {
    int count;
};

static struct queue *queue_new(void)
{
    struct queue *q = calloc(1, sizeof *q);
    if (q == NULL)
        abort();
    return q;
}

static void queue_free(struct queue *q)
{
    if (q == NULL)
        return;
    free(q);
}

struct channel {
    char *name;
    struct queue *waiting;
};

static void channel_free(struct channel *c)
{
    queue_free(c->waiting);
    free(c->name);
    free(c);
}

struct channel *channel_new(const char *name, const char *kind)
{
    char *label = strdup(kind); // LEAK label
    struct channel *c = calloc(1, sizeof *c);
    if (c == NULL) {
        free(label);
        return NULL;
    }
    c->name = strdup(name);
    if (c->name == NULL) {
        channel_free(c);
        return NULL; // LOST label
    }
    c->waiting = queue_new();
    printf("%s\n", label);
    free(label);
    return c;
}

void channel_end(struct channel *c)
{
    channel_free(c);
}
