// container_of: the address of a member is a reference to the whole.
#include <stddef.h>
#include <stdlib.h>

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link {
    struct link *next, *prev;
};

struct job {
    int id;
    char *command;
    struct link link;
};

static struct link queue = {&queue, &queue};

static void push(struct link *head, struct link *l) {
    l->next = head;
    l->prev = head->prev;
    head->prev->next = l;
    head->prev = l;
}

static void job_free(struct link *l) {
    struct job *j = container_of(l, struct job, link);
    free(j->command);
    free(j);
}

void queued_by_its_member(void) {
    struct job *j = calloc(1, sizeof *j); // OK
    if (j == NULL)
        return;
    j->command = malloc(10); // OK
    push(&queue, &j->link);
}

void freed_from_its_member(void) {
    struct job *j = calloc(1, sizeof *j); // OK
    if (j == NULL)
        return;
    j->command = malloc(10); // OK
    struct link *l = &j->link;
    job_free(l);
}

static void job_free_leaky(struct link *l) {
    struct job *j = container_of(l, struct job, link);
    free(j); // LOST command
}

void command_forgotten(void) {
    struct job *j = calloc(1, sizeof *j); // OK
    if (j == NULL)
        return;
    j->command = malloc(10);  // LEAK command
    job_free_leaky(&j->link); // LOST command
}

void only_a_local_list_held_it(void) {
    struct link local = {&local, &local};
    struct job *j = calloc(1, sizeof *j); // LEAK local
    if (j == NULL)
        return;
    push(&local, &j->link);
} // LOST local
