// Table III, lists: head freed only, node unlinked, error while building; each leaking and clean.
#include <stdlib.h>

typedef struct Node {
    int value;
    struct Node *next;
} Node;

static Node *build(int n) {
    Node *head = NULL;
    for (int i = 0; i < n; i++) {
        Node *node = malloc(sizeof *node); // LEAK tail
        if (node == NULL)
            abort();
        node->value = i;
        node->next = head;
        head = node;
    }
    return head;
}

static void release(Node *head) {
    while (head != NULL) {
        Node *next = head->next;
        free(head);
        head = next;
    }
}

void list_1_only_the_head_freed(int n) {
    Node *head = build(n);
    free(head); // LOST tail
}

void list_1_clean(int n) {
    Node *head = build(n);
    release(head);
}

void list_2_unlinked_and_forgotten(Node *head) {
    Node *node = malloc(sizeof *node); // LEAK unlinked
    if (node == NULL)
        return;
    node->next = head->next;
    head->next = node;
    head->next = node->next;
} // LOST unlinked

void list_2_unlinked_and_freed(Node *head) {
    Node *node = malloc(sizeof *node); // OK
    if (node == NULL)
        return;
    node->next = head->next;
    head->next = node;
    head->next = node->next;
    free(node);
}

Node *list_3_lost_when_the_second_fails(void) {
    Node *first = malloc(sizeof *first); // LEAK first
    if (first == NULL)
        return NULL;
    first->next = malloc(sizeof *first); // OK
    if (first->next == NULL)
        return NULL; // LOST first
    first->next->next = NULL;
    return first;
}

Node *list_3_clean(void) {
    Node *first = malloc(sizeof *first); // OK
    if (first == NULL)
        return NULL;
    first->next = malloc(sizeof *first); // OK
    if (first->next == NULL) {
        free(first);
        return NULL;
    }
    first->next->next = NULL;
    return first;
}
