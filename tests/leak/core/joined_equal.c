// More paths meet than are kept apart: variables that were equal on each of them stay equal.
#include <stdlib.h>

struct table {
    char *a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m, *n, *o;
};

void freed_by_both_names(struct table *t, int n) {
    char *x = NULL, *y = NULL;
    switch (n) {
    case 0: x = t->a; y = t->a; break;
    case 1: x = t->b; y = t->b; break;
    case 2: x = t->c; y = t->c; break;
    case 3: x = t->d; y = t->d; break;
    case 4: x = t->e; y = t->e; break;
    case 5: x = t->f; y = t->f; break;
    case 6: x = t->g; y = t->g; break;
    case 7: x = t->h; y = t->h; break;
    case 8: x = t->i; y = t->i; break;
    case 9: x = t->j; y = t->j; break;
    case 10: x = t->k; y = t->k; break;
    case 11: x = t->l; y = t->l; break;
    case 12: x = t->m; y = t->m; break;
    case 13: x = t->n; y = t->n; break;
    default: x = t->o; y = t->o; break;
    }
    free(x);
    free(y); // DOUBLE-FREE
}

void two_names_of_two_blocks(struct table *t, int n) {
    char *x = NULL, *y = NULL;
    switch (n) {
    case 0: x = t->a; y = t->b; break;
    case 1: x = t->b; y = t->c; break;
    case 2: x = t->c; y = t->d; break;
    case 3: x = t->d; y = t->e; break;
    case 4: x = t->e; y = t->f; break;
    case 5: x = t->f; y = t->g; break;
    case 6: x = t->g; y = t->h; break;
    case 7: x = t->h; y = t->i; break;
    case 8: x = t->i; y = t->j; break;
    case 9: x = t->j; y = t->k; break;
    case 10: x = t->k; y = t->l; break;
    case 11: x = t->l; y = t->m; break;
    case 12: x = t->m; y = t->n; break;
    case 13: x = t->n; y = t->o; break;
    default: x = t->o; y = t->a; break;
    }
    free(x);
    free(y);
}
