// A loop releases a list of which only the first few nodes are walked: those that hang on them are
// released too, by rounds that one path stands for.
// run: --level=likely
#include <stdlib.h>

struct node {
    struct node *next;
    void *value;
};

struct list {
    struct node *head;
    unsigned length;
};

static void add(struct list *l, struct node *n)
{
    n->next = l->head;
    l->head = n;
    l->length++;
}

static struct list *six(void)
{
    struct list *l = calloc(1, sizeof *l);
    if (l == NULL) abort();
    for (int i = 0; i < 6; i++) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL) abort();
        n->value = NULL;
        add(l, n);
    }
    return l;
}

static void free_by_length(struct list *l)
{
    struct node *n = l->head, *next;
    unsigned length = l->length;
    while (length--) {
        next = n->next;
        free(n);
        n = next;
    }
    free(l);
}

static void free_by_link(struct list *l)
{
    struct node *n = l->head, *next;
    while (n) {
        next = n->next;
        free(n);
        n = next;
    }
    free(l);
}

void released_by_length(void)
{
    free_by_length(six());
}

void released_by_link(void)
{
    free_by_link(six());
}

void released_only_itself(void)
{
    struct list *l = calloc(1, sizeof *l);
    if (l == NULL) return;
    l->head = malloc(sizeof *l->head); // LEAK head
    free(l); // LOST head
}
