// A circular list with two directions: one whose links lead to itself is the last. Which of the two
// links showed it is forgotten where the ways meet, that one of them did is not.
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next, *prev;
};

struct entry {
    struct node node;
    char *data;
};

static struct node *node_remove(struct node *n) {
    if (n->prev == n || n->next == n)
        return NULL;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    return n->next;
}

static struct entry *list_remove(struct entry *e) {
    struct node *n = node_remove(&e->node);
    free(e);
    if (n == NULL)
        return NULL;
    return (struct entry *)((char *)n - offsetof(struct entry, node));
}

static struct entry *list_append(struct entry *list, char *data) {
    struct entry *e = malloc(sizeof *e);
    if (e == NULL)
        return NULL;
    e->data = data;
    if (list == NULL) {
        e->node.next = e->node.prev = &e->node;
        return e;
    }
    e->node.next = &list->node;
    e->node.prev = list->node.prev;
    list->node.prev->next = &e->node;
    list->node.prev = &e->node;
    return list;
}

static void list_free(struct entry *list) {
    while (list) {
        free(list->data);
        list = list_remove(list);
    }
}

static void list_free_nodes(struct entry *list) {
    while (list)
        list = list_remove(list);
}

int three_and_all_freed(void) {
    struct entry *list = NULL;
    for (int i = 0; i < 3; i++) {
        char *data = malloc(8);
        struct entry *more = data ? list_append(list, data) : NULL;
        if (more == NULL) {
            free(data);
            list_free(list);
            return -1;
        }
        list = more;
    }
    list_free(list);
    return 0;
}

int two_and_the_data_forgotten(void) {
    struct entry *list = list_append(NULL, NULL);
    if (list == NULL)
        return -1;
    char *data = malloc(8); // LEAK data
    if (data == NULL || list_append(list, data) == NULL) {
        free(data);
        list_free(list);
        return -1;
    }
    list_free_nodes(list);
    return 0; // LOST data
}
