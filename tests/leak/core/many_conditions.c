// More conditions on the inputs than a summary holds: that the block is there which it hands out is
// not among those that are left out.
// run: --level=likely
#include <stdlib.h>
#include <string.h>

struct node {
    char *name;
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z;
};

static struct node *copy(const struct node *n) {
    struct node *c;
    if (n->a || n->b || n->c || n->d || n->e || n->f || n->g || n->h || n->i || n->j ||
        n->k || n->l || n->m || n->n || n->o || n->p || n->q || n->r || n->s || n->t ||
        n->u || n->v || n->w || n->x || n->y || n->z)
        return NULL;
    c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->name = strdup(n->name);
    return c;
}

int copied_and_freed(const struct node *n) {
    struct node *c = copy(n); // OK
    if (c == NULL)
        return -1;
    free(c->name);
    free(c);
    return 0;
}

int name_is_forgotten(const struct node *n) {
    struct node *c = copy(n); // LEAK name
    if (c == NULL)
        return -1;
    free(c); // LOST name
    return 0;
}
