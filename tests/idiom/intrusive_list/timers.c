// Nodes embedded in objects; the list head is a global or lives in an owner.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next, *prev;
};

#define entry_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct timer {
    char *label;
    struct node link;
    long when;
};

static struct node timers = {&timers, &timers};

static void node_add(struct node *head, struct node *n) {
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}

static void node_del(struct node *n) {
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->next = n->prev = NULL;
}

static struct timer *timer_new(const char *label, long when) {
    struct timer *t = malloc(sizeof *t); // LEAK label_only
    if (t == NULL)
        return NULL;
    t->label = strdup(label); // OK
    if (t->label == NULL) {
        free(t);
        return NULL;
    }
    t->when = when;
    return t;
}

static void timer_free(struct timer *t) {
    free(t->label);
    free(t);
}

int scheduled(const char *label, long when) {
    struct timer *t = timer_new(label, when);
    if (t == NULL)
        return -1;
    node_add(&timers, &t->link);
    return 0;
}

void expire(long now) {
    struct node *n = timers.next;
    while (n != &timers) {
        struct node *next = n->next;
        struct timer *t = entry_of(n, struct timer, link);
        if (t->when <= now) {
            node_del(n);
            timer_free(t);
        }
        n = next;
    }
}

int added_and_removed_at_once(const char *label) {
    struct timer *t = timer_new(label, 0);
    if (t == NULL)
        return -1;
    node_add(&timers, &t->link);
    node_del(&t->link);
    timer_free(t);
    return 0;
}

int removed_and_only_the_label_freed(const char *label) {
    struct timer *t = timer_new(label, 0); // LEAK label_only
    if (t == NULL)
        return -1;
    node_add(&timers, &t->link);
    node_del(&t->link);
    free(t->label);
    return 0; // LOST label_only
}
