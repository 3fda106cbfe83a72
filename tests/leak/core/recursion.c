// Recursion: trees built and released by functions that call themselves and each other.
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int key;
};

static void tree_free(struct tree *t) {
    if (t == NULL)
        return;
    tree_free(t->left);
    tree_free(t->right);
    free(t);
}

static struct tree *tree_leaf(int key) {
    struct tree *t = calloc(1, sizeof *t); // LEAK right; LEAK whole
    if (t == NULL)
        abort();
    t->key = key;
    return t;
}

void whole_tree_released(void) {
    struct tree *t = tree_leaf(1); // OK
    t->left = tree_leaf(2);        // OK
    t->right = tree_leaf(3);       // OK
    tree_free(t);
}

void right_branch_cut_off(void) {
    struct tree *t = tree_leaf(1); // OK
    t->left = tree_leaf(2);        // OK
    t->right = tree_leaf(3);       // LEAK right
    t->right = NULL;               // LOST right
    tree_free(t);
}

void whole_tree_forgotten(void) {
    struct tree *t = tree_leaf(1); // LEAK whole
    t->key = 7;
} // LOST whole

static struct tree *build(int depth) {
    if (depth == 0)
        return NULL;
    struct tree *t = calloc(1, sizeof *t); // OK
    if (t == NULL)
        return NULL;
    t->left = build(depth - 1);
    t->right = build(depth - 1);
    return t;
}

void built_and_released(int depth) {
    struct tree *t = build(depth);
    tree_free(t);
}

static int even(int n, char *p);

static int odd(int n, char *p) {
    if (n == 0) {
        free(p);
        return 0;
    }
    return even(n - 1, p);
}

static int even(int n, char *p) {
    if (n == 0) {
        free(p);
        return 1;
    }
    return odd(n - 1, p);
}

void freed_at_the_bottom(unsigned n) {
    char *p = malloc(1); // OK
    even(n % 100, p);
}

int forgotten_on_the_way_down(int n) {
    char *p = malloc(1); // LEAK down
    if (p == NULL)
        return 0;
    if (n <= 0)
        return 1; // LOST down
    int r = forgotten_on_the_way_down(n - 1);
    free(p);
    return r;
}
