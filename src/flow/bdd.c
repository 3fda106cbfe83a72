// Ordered binary decision diagrams (Bryant 1986), as small as the guards of one slice need: some
// ten variables, some hundred nodes. Variables are ordered by their numbers.
#include "base/hash.h"
#include "flow/flow_int.h"

void bdd_spend(Bdds *b, uint64_t steps)
{
    b->steps += steps;
    if (b->steps > b->allowed) b->full = true;
}

void bdd_init(Bdds *b)
{
    *b = (Bdds){.allowed = MAX_STEPS};
    vec_push(&b->nodes, ((BddNode){UINT32_MAX, 0, 0}));
    vec_push(&b->nodes, ((BddNode){UINT32_MAX, 1, 1}));
}

void bdd_free(Bdds *b)
{
    vec_free(&b->nodes);
    map_free(&b->unique);
    map_free(&b->memo);
}

static Bdd make(Bdds *b, uint32_t var, Bdd low, Bdd high)
{
    if (low == high) return low;
    if (b->nodes.len >= MAX_NODES) {
        b->full = true;
        return BDD_FALSE;
    }
    // 20 bits for each part: nodes and variables are fewer than that.
    bool fresh;
    uint64_t *at =
        map_at(&b->unique, (uint64_t)var << 40 | (uint64_t)low << 20 | high, b->nodes.len, &fresh);
    if (fresh) vec_push(&b->nodes, ((BddNode){var, low, high}));
    return (Bdd)*at;
}

Bdd bdd_var(Bdds *b, uint32_t var)
{
    return make(b, var, BDD_FALSE, BDD_TRUE);
}

typedef enum { AND, OR, NOT } BddOp;

static Bdd apply(Bdds *b, BddOp op, Bdd x, Bdd y)
{
    switch (op) {
    case AND:
        if (x == BDD_FALSE || y == BDD_FALSE) return BDD_FALSE;
        if (x == BDD_TRUE || x == y) return y;
        if (y == BDD_TRUE) return x;
        break;
    case OR:
        if (x == BDD_TRUE || y == BDD_TRUE) return BDD_TRUE;
        if (x == BDD_FALSE || x == y) return y;
        if (y == BDD_FALSE) return x;
        break;
    case NOT:
        if (x <= BDD_TRUE) return 1 - x;
        break;
    }
    bdd_spend(b, 1);
    if (b->full) return BDD_FALSE;
    if (op != NOT && x > y) {
        Bdd t = x;
        x = y;
        y = t;
    }
    uint64_t key = (uint64_t)op << 40 | (uint64_t)x << 20 | y;
    uint64_t *known = map_get(&b->memo, key);
    if (known) return (Bdd)*known;
    BddNode m = b->nodes.at[x], n = b->nodes.at[op == NOT ? x : y];
    uint32_t var = m.var < n.var ? m.var : n.var;
    Bdd x0 = m.var == var ? m.low : x, x1 = m.var == var ? m.high : x;
    Bdd y0 = n.var == var ? n.low : y, y1 = n.var == var ? n.high : y;
    Bdd low = apply(b, op, x0, y0), high = apply(b, op, x1, y1);
    Bdd r = make(b, var, low, high);
    map_set(&b->memo, key, r);
    return r;
}

Bdd bdd_and(Bdds *b, Bdd x, Bdd y)
{
    return apply(b, AND, x, y);
}
Bdd bdd_or(Bdds *b, Bdd x, Bdd y)
{
    return apply(b, OR, x, y);
}
Bdd bdd_not(Bdds *b, Bdd x)
{
    return apply(b, NOT, x, x);
}
