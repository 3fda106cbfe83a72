// A list that a loop builds for an unknown count: its head freed alone loses the rest, freed in a
// loop of the same kind it does not.
// run: --level=likely
#include <stdlib.h>

struct list {
    struct list *next;
};

static struct list *make_list(int n) {
    struct list *head = malloc(sizeof *head);
    if (head == NULL)
        abort();
    struct list *p = head;
    for (int i = 0; i < n; i++) {
        p->next = malloc(sizeof *p); // LEAK rest LIKELY because FIRST_ROUND
        if (p->next == NULL)
            abort();
        p = p->next;
    }
    p->next = NULL;
    return head;
}

static void free_head(struct list *l) {
    free(l);
}

static void free_list(struct list *l) {
    while (l != NULL) {
        struct list *next = l->next;
        free(l);
        l = next;
    }
}

void head_alone(void) {
    struct list *l = make_list(10);
    free_head(l); // LOST rest
}

void all_of_it(void) {
    struct list *l = make_list(10);
    free_list(l);
}

void of_any_length(int n) {
    struct list *l = make_list(n);
    free_list(l);
}

void two_steps_and_the_rest(int n) {
    struct list *l = make_list(n), *next = l->next;
    free_list(next);
    free(l);
}
