// Sentinels: a static object stands for "none" and must never be freed or missed.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *text;
};

static struct node none;
static char empty_string[1];

static struct node *node_new(const char *s) {
    struct node *n = malloc(sizeof *n); // LEAK node
    if (n == NULL)
        return &none;
    n->next = &none;
    n->text = strdup(s); // ALSO text
    return n;
}

static void node_free(struct node *n) {
    if (n == &none)
        return;
    free(n->text);
    free(n);
}

void freed_unless_none(const char *s) {
    struct node *n = node_new(s);
    node_free(n);
}

int forgotten_unless_none(const char *s) {
    struct node *n = node_new(s); // LEAK node
    if (n == &none)
        return -1;
    return n->text != NULL; // LOST node; LOST text
}

static void list_free(struct node *n) {
    while (n != &none) {
        struct node *next = n->next;
        free(n->text);
        free(n);
        n = next;
    }
}

void two_nodes(const char *s) {
    struct node *a = node_new(s);
    if (a == &none)
        return;
    a->next = node_new(s);
    list_free(a);
}

static char *trimmed(const char *s) {
    while (*s == ' ')
        s++;
    if (*s == 0)
        return empty_string;
    char *p = strdup(s); // OK
    return p ? p : empty_string;
}

void text_freed_unless_empty(const char *s) {
    char *p = trimmed(s);
    if (p != empty_string)
        free(p);
}
