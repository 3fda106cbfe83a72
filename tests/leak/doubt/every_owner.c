// The same part is left behind wherever an owner is released: whoever releases it knows of the part.
// Most calls of the allocator are innocent.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *text;
};

static struct node *make(const char *s)
{
    struct node *n = calloc(1, sizeof *n);
    if (n) n->text = strdup(s);
    return n;
}

static void drop(struct node *n)
{
    if (!n) return;
    drop(n->next);
    free(n);
}

static void drop_all(struct node *n)
{
    if (!n) return;
    free(n->text);
    free(n);
}

void one(void)
{
    drop(make("1")); // OK
}

void two(void)
{
    drop(make("2")); // OK
}

void three(void)
{
    drop(make("3")); // OK
}

void four(void)
{
    drop(make("4")); // OK
}

void five(void)
{
    drop(make("5")); // OK
}

void six(void)
{
    drop(make("6")); // OK
}

#define ONE  drop_all(make("x"))
#define FIVE ONE, ONE, ONE, ONE, ONE
void innocent(void)
{
    FIVE, FIVE, FIVE, FIVE, FIVE, FIVE;
    FIVE, FIVE, FIVE, FIVE, FIVE, FIVE;
    FIVE, FIVE, FIVE, FIVE, FIVE, FIVE;
    FIVE, FIVE, FIVE, FIVE, FIVE, FIVE;
}
