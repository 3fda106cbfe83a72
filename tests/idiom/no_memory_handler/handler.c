// An out-of-memory handler behind a pointer: it reports, allocating itself, and ends the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    void *value;
};

struct list {
    struct node *head;
};

static void *get(size_t n);

static void give_up_quietly(size_t n) {
    fprintf(stderr, "no memory for %zu bytes\n", n);
    abort();
}

static void finish(void) {
    exit(1);
}

static void report_and_give_up(size_t n) {
    char *text = get(64); // OK: the program ends
    snprintf(text, 64, "no memory for %zu bytes", n);
    fputs(text, stderr);
    finish();
}

static void (*handler)(size_t) = give_up_quietly;

void set_handler(int loud) {
    if (loud)
        handler = report_and_give_up;
}

static void *get(size_t n) {
    void *p = malloc(n);
    if (p == NULL)
        handler(n);
    return p;
}

static struct list *list_add(struct list *l, void *value) {
    struct node *n = get(sizeof *n); // OK
    if (n == NULL)
        return NULL;
    n->value = value;
    n->next = l->head;
    l->head = n;
    return l;
}

void job_is_queued(struct list *jobs, int fd) {
    int *job = get(sizeof *job); // OK
    *job = fd;
    list_add(jobs, job);
}

int job_is_forgotten(struct list *jobs, int fd) {
    int *job = get(sizeof *job); // LEAK job
    *job = fd;
    if (fd < 0)
        return -1; // LOST job
    list_add(jobs, job);
    return 0;
}

// A handler that may come back is no end.
static void complain(size_t n) {
    fprintf(stderr, "no memory for %zu bytes\n", n);
}

static void (*soft_handler)(size_t) = complain;

static void *get_or_null(size_t n) {
    void *p = malloc(n);
    if (p == NULL)
        soft_handler(n);
    return p;
}

int second_may_fail(struct list *l) {
    char *first = get_or_null(16); // LEAK first
    if (first == NULL)
        return -1;
    char *second = get_or_null(16); // OK
    if (second == NULL)
        return -1; // LOST first
    list_add(l, first);
    list_add(l, second);
    return 0;
}
