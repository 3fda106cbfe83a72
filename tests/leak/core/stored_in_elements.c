// Blocks stored in elements of arrays that belong to others: by an unknown index, through globals.
#include <stdlib.h>
#include <string.h>

struct node {
    short low, high;
    int *edges;
};

struct node *nodes;
static struct node fixed[10];

static int *make_edges(int n) {
    return malloc(n * sizeof(int)); // LEAK replaced
}

void stored_in_a_global_array(int i) {
    nodes[i].edges = make_edges(4); // OK
}

void stored_and_taken_out(int i) {
    nodes[i].edges = make_edges(4); // OK
    free(nodes[i].edges);
    nodes[i].edges = NULL;
}

void stored_twice_at_the_same_index(void) {
    fixed[3].edges = make_edges(4); // LEAK replaced
    fixed[3].edges = make_edges(8); // LOST replaced
}

void stored_at_two_indices(void) {
    fixed[3].edges = make_edges(4); // OK
    fixed[4].edges = make_edges(8); // OK
}

void stored_in_a_local_array(int i) {
    struct node local[10];
    memset(local, 0, sizeof local);
    if (i < 0 || i >= 10)
        return;
    local[i].edges = malloc(4); // LEAK local
} // LOST local

void released_at_the_same_unknown_index(int i) {
    struct node local[10];
    memset(local, 0, sizeof local);
    if (i < 0 || i >= 10)
        return;
    local[i].edges = malloc(4); // OK
    free(local[i].edges);
}
