// A list is freed by a function that calls itself: what that does to the nodes further down is known
// only so far.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *text;
};

static struct node *make_node(const char *s)
{
    struct node *n = calloc(1, sizeof *n);
    if (n) n->text = strdup(s);
    return n;
}

static void drop_nodes(struct node *n)
{
    if (!n) return;
    drop_nodes(n->next);
    free(n);
}

static void drop_all(struct node *n)
{
    if (!n) return;
    drop_all(n->next);
    free(n->text);
    free(n);
}

void text_is_forgotten(void)
{
    struct node *n = make_node("a"); // LEAK text LIKELY because RECURSIVE_CALL
    drop_nodes(n);                   // LOST text
}

void text_is_freed(void)
{
    struct node *n = make_node("a"); // OK
    drop_all(n);
}
