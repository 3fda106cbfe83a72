// A container keeps an item, or gives it to a function that releases it; where it does neither it returns
// the same as then, and the caller cannot tell.
#include <stdlib.h>

struct items {
    void **at;
    int count, room;
    void (*release)(void *);
};

static int push(struct items *s, void *item)
{
    if (s->count == s->room) {
        void **more = realloc(s->at, (s->room + 8) * sizeof *more);
        if (!more) {
            if (s->release) s->release(item);
            return -1;
        }
        s->at = more;
        s->room += 8;
    }
    s->at[s->count++] = item;
    return 0;
}

int add_number(struct items *s, int n)
{
    int *p = malloc(sizeof *p); // OK: whoever calls this has set s->release
    if (!p) return -1;
    *p = n;
    return push(s, p);
}

struct node {
    struct node *left, *right;
    int n;
};

static struct node *node_new(struct node *parent, int n)
{
    struct node *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->n = n;
    if (!parent->left)
        parent->left = p;
    else if (!parent->right)
        parent->right = p;
    return p;
}

void add_child(struct node *parent, int n)
{
    struct node *p = node_new(parent, n); // MISSED child: for the sound mode, as only the parent tells
    if (p) p->n = n + 1;
} // LOST child

// Here the answer tells, and the caller looks at it.
static int push_first(struct items *s, void *item)
{
    if (s->count == s->room) return -1;
    s->at[s->count++] = item;
    return 0;
}

int full_and_forgotten(struct items *s, int n)
{
    int *p = malloc(sizeof *p); // LEAK full
    if (!p) return -1;
    *p = n;
    if (push_first(s, p) < 0) return -1; // LOST full
    return 0;
}

int full_and_freed(struct items *s, int n)
{
    int *p = malloc(sizeof *p); // OK
    if (!p) return -1;
    *p = n;
    if (push_first(s, p) < 0) {
        free(p);
        return -1;
    }
    return 0;
}

// The answer is always the same, and what decides is that memory is short.
static void append(struct node *list, void *item)
{
    void **cell = malloc(sizeof *cell);
    if (!cell) return;
    *cell = item;
    list->left = (struct node *)cell;
}

void lost_without_memory(struct node *list, int n)
{
    int *p = malloc(sizeof *p); // LEAK short
    if (!p) return;
    *p = n;
    append(list, p);
} // LOST short
