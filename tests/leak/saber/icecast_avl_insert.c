// Conditional leak in icecast: when the tree cannot make a node, the entry belongs to nobody.
#include <stdlib.h>
#include <string.h>

typedef struct Node {
    struct Node *parent;
    void *key;
} Node;

typedef struct Tree {
    Node *root;
} Tree;

typedef struct User {
    char *name;
} User;

extern int get_line(char *line, int size);

static Node *node_new(void *key, Node *parent) {
    Node *node = malloc(sizeof *node); // OK
    if (!node) {
        return NULL;
    } else {
        node->parent = parent;
        node->key = key;
        return node;
    }
}

static int insert(Tree *tree, void *key) {
    Node *node = node_new(key, tree->root);
    if (!node) {
        return -1;
    } else {
        tree->root = node;
        return 0;
    }
}

void entry_lost_when_the_insertion_fails(Tree *users) {
    char line[128];
    while (get_line(line, sizeof line)) {     // LOST entry; LOST name
        User *entry = calloc(1, sizeof *entry); // LEAK entry; LOST entry; LOST name
        if (entry == NULL)
            break;
        entry->name = malloc(strlen(line) + 1); // ALSO name
        insert(users, entry);                   // LOST entry; LOST name
    } // LOST entry; LOST name
}

void entry_freed_when_the_insertion_fails(Tree *users) {
    char line[128];
    while (get_line(line, sizeof line)) {
        User *entry = calloc(1, sizeof *entry); // OK
        if (entry == NULL)
            break;
        entry->name = malloc(strlen(line) + 1); // OK
        if (insert(users, entry) < 0) {
            free(entry->name);
            free(entry);
        }
    }
}
