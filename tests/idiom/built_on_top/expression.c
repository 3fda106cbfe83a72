// A loop that puts what it has so far under a new node: a + b + c. What was there before the loop is deep
// in the tree when it ends.
#include <stdlib.h>

struct expr {
    struct expr *left, *right;
    int value;
};

static struct expr *expr_new(struct expr *left, struct expr *right, int value)
{
    struct expr *e = malloc(sizeof *e);
    if (!e) abort();
    e->left = left;
    e->right = right;
    e->value = value;
    return e;
}

void expr_free(struct expr *e)
{
    if (!e) return;
    expr_free(e->left);
    expr_free(e->right);
    free(e);
}

static struct expr *term(const char **text)
{
    return expr_new(NULL, NULL, *(*text)++);
}

struct expr *sum(const char **text)
{
    struct expr *e = term(text); // OK
    while (**text == '+') {
        (*text)++;
        e = expr_new(e, term(text), '+'); // OK
    }
    return e;
}

struct expr *sum_of_digits(const char **text)
{
    struct expr *e = term(text); // LEAK sum
    while (**text == '+') {
        (*text)++;
        if (**text < '0') return NULL; // LOST sum more
        e = expr_new(e, term(text), '+'); // LEAK more
    }
    return e;
}

struct expr *sum_of_digits_or_nothing(const char **text)
{
    struct expr *e = term(text); // OK
    while (**text == '+') {
        (*text)++;
        if (**text < '0') {
            expr_free(e);
            return NULL;
        }
        e = expr_new(e, term(text), '+'); // OK
    }
    return e;
}

struct expr *in_front_of_one(int count)
{
    struct expr *list = expr_new(NULL, NULL, 0); // OK
    for (int i = 0; i < count; i++) list = expr_new(list, NULL, i); // OK
    return list;
}

int forgets_it(int count)
{
    struct expr *list = expr_new(NULL, NULL, 0); // LEAK list
    for (int i = 0; i < count; i++) list = expr_new(list, NULL, i); // LEAK list2
    return list->value; // LOST list list2
}
