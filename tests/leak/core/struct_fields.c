// Fields: freeing a struct does not free what it holds; writing one field keeps the others.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user {
    char tag[8];
    char *name;
    char *home;
    struct user *boss;
};

void parent_freed_child_lost(void) {
    struct user *u = calloc(1, sizeof *u); // OK
    if (u == NULL)
        return;
    u->name = malloc(10); // LEAK name
    free(u);              // LOST name
}

void child_freed_before_the_parent(void) {
    struct user *u = calloc(1, sizeof *u); // OK
    if (u == NULL)
        return;
    u->name = malloc(10); // OK
    free(u->name);
    free(u);
}

void child_read_from_the_freed_parent(void) {
    struct user *u = calloc(1, sizeof *u); // OK
    if (u == NULL)
        return;
    u->name = malloc(10); // ALSO late
    free(u);              // LOST late
    free(u->name);        // USE-AFTER-FREE
}

void writing_the_array_beside_keeps_the_field(const char *s) {
    struct user u = {0};
    u.name = malloc(10); // OK
    strcpy(u.tag, "x");
    snprintf(u.tag, sizeof u.tag, "%s", s);
    memset(u.tag, 0, sizeof u.tag);
    u.tag[3] = 'y';
    free(u.name);
}

void writing_the_array_beside_and_forgetting(const char *s) {
    struct user u = {0};
    u.name = malloc(10); // LEAK beside
    snprintf(u.tag, sizeof u.tag, "%s", s);
    u.tag[3] = 'y';
} // LOST beside

void two_fields_two_blocks(void) {
    struct user u = {0};
    u.name = malloc(1); // OK
    u.home = malloc(2); // LEAK home
    free(u.name);
} // LOST home

void grandchild_lost_with_the_child(void) {
    struct user *u = calloc(1, sizeof *u); // OK
    if (u == NULL)
        return;
    u->boss = calloc(1, sizeof *u); // OK
    if (u->boss != NULL) {
        u->boss->name = malloc(3); // LEAK grandchild
        free(u->boss);             // LOST grandchild
    }
    free(u);
}

static void user_free(struct user *u) {
    if (u == NULL)
        return;
    free(u->name);
    free(u->home);
    free(u);
}

void freed_by_the_destroyer(void) {
    struct user *u = calloc(1, sizeof *u); // OK
    if (u == NULL)
        return;
    u->name = malloc(1); // OK
    u->home = malloc(1); // OK
    user_free(u);
}

struct outer {
    int n;
    struct user inner;
};

void field_of_an_inner_struct(void) {
    struct outer *o = calloc(1, sizeof *o); // OK
    if (o == NULL)
        return;
    o->inner.home = malloc(4); // LEAK inner
    free(o->inner.name);
    free(o); // LOST inner
}
