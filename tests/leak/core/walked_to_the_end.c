// Callees that go through an array up to a pointer to its end: more rounds than are walked one by one.
#include <stdlib.h>

static int sum(const int *p, const int *end)
{
    int s = 0;
    for (; p != end; p++) s += *p;
    return s;
}

int summed_and_forgotten(void)
{
    int *a = calloc(16, sizeof *a); // LEAK summed
    if (!a) return 0;
    return sum(a, a + 16); // LOST summed
}

int summed_and_freed(void)
{
    int *a = calloc(16, sizeof *a); // OK
    if (!a) return 0;
    int s = sum(a, a + 16);
    free(a);
    return s;
}

int summed_here_and_forgotten(int n)
{
    int *a = calloc(16, sizeof *a); // LEAK here
    if (!a) return 0;
    int s = 0;
    for (int *p = a; p != a + n; p++) s += *p;
    return s; // LOST here
}

struct place {
    const int *at;
};

static int sum_by_place(struct place *first, const struct place *last)
{
    int s = 0;
    for (; first->at != last->at; first->at++) s += *first->at;
    return s;
}

int by_place_and_forgotten(void)
{
    int *a = calloc(16, sizeof *a); // LEAK place
    if (!a) return 0;
    struct place first = {a}, last = {a + 16};
    return sum_by_place(&first, &last); // LOST place
}

int by_place_and_freed(void)
{
    int *a = calloc(16, sizeof *a); // OK
    if (!a) return 0;
    struct place first = {a}, last = {a + 16};
    int s = sum_by_place(&first, &last);
    free(a);
    return s;
}

struct node {
    struct node *next;
};

static int is_among(const struct node *list, const struct node *n)
{
    for (; list; list = list->next)
        if (list == n) return 1;
    return 0;
}

// What was found in the caller's list has its owner there.
int dropped_unless_in_the_list(struct node *list)
{
    struct node *n = malloc(sizeof *n); // OK
    if (!n) return 0;
    n->next = NULL;
    if (is_among(list, n)) return 1;
    free(n);
    return 0;
}

static int *first_of(int *p, int *end, int x)
{
    for (; p != end; p++)
        if (*p == x) return p;
    return NULL;
}

int found_and_freed_by_its_start(int x)
{
    int *a = calloc(16, sizeof *a); // OK
    if (!a) return 0;
    int *at = first_of(a, a + 16, x);
    int r = at ? (int)(at - a) : -1;
    free(a);
    return r;
}

int found_and_forgotten(int x)
{
    int *a = calloc(16, sizeof *a); // LEAK found
    if (!a) return 0;
    int *at = first_of(a, a + 16, x);
    return at ? *at : -1; // LOST found
}
