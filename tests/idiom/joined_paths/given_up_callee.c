// A callee that could not be walked to its end is unknown code, but for what its instructions say: it
// reads and passes on what it is handed to functions that do no more, so that the caller still owns it.
// run: --level=likely
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    int count;
};

static struct node *kept;

static int measure(struct node *n)
{
    n->count++;
    return n->name ? (int)strlen(n->name) : 0;
}

static int only_reads(struct node *n)
{
    struct node *none = NULL;
    printf("%s\n", n->name);
    return measure(n) + none->count;
}

static int may_keep(struct node *n, int how)
{
    struct node *none = NULL;
    if (how) kept = n;
    return measure(n) + none->count;
}

static int may_keep_the_name(struct node *n)
{
    struct node *none = NULL;
    none->name = n->name;
    return measure(n);
}

int borrowed(int early)
{
    struct node *n = calloc(1, sizeof *n); // LEAK borrowed LIKELY because NO_WAY_BACK
    if (n == NULL) return -1;
    only_reads(n);
    if (early) return 1; // LOST borrowed
    free(n);
    return 0;
}

int borrowed_with_its_name(int early)
{
    struct node n = {0};
    n.name = strdup("name"); // LEAK name LIKELY because NO_WAY_BACK
    if (n.name == NULL) return -1;
    only_reads(&n);
    if (early) return 1; // LOST name
    free(n.name);
    return 0;
}

int kept_by_some_path(int early)
{
    struct node *n = calloc(1, sizeof *n); // OK
    if (n == NULL) return -1;
    may_keep(n, early);
    if (early) return 1;
    free(n);
    return 0;
}

int name_kept(int early)
{
    struct node n = {0};
    n.name = strdup("name"); // OK
    if (n.name == NULL) return -1;
    may_keep_the_name(&n);
    if (early) return 1;
    free(n.name);
    return 0;
}
