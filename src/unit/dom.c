// Dominators of a graph: Lengauer and Tarjan, "A fast algorithm for finding dominators in a
// flowgraph" (1979), the version with simple path compression. Nothing recurses, since a function
// may have a hundred thousand blocks in one chain.
#include "unit/cfg.h"

typedef struct {
    uint32_t *semi;          // by node: depth-first number of its semidominator + 1; 0: not reached
    uint32_t *node;          // by depth-first number
    uint32_t *parent;        // in the depth-first tree
    uint32_t *ancestor;      // in the forest of path compression
    uint32_t *label;         // node of smallest semi on the compressed path
    uint32_t *bucket, *next; // nodes by their semidominator, as lists; node + 1
    uint32_t *stack;
    uint32_t count;
} Dom;

static void number_nodes(Dom *d, uint32_t root, Neighbours succ, uint32_t *at)
{
    uint32_t depth = 0;
    d->stack[depth++] = root;
    d->parent[root] = UINT32_MAX;
    d->node[d->count++] = root;
    d->semi[root] = d->count;
    while (depth) {
        uint32_t v = d->stack[depth - 1];
        if (succ.first[v] + at[v] == succ.first[v + 1]) {
            depth--;
            continue;
        }
        uint32_t w = succ.list[succ.first[v] + at[v]++];
        if (d->semi[w]) continue;
        d->parent[w] = v;
        d->node[d->count++] = w;
        d->semi[w] = d->count;
        d->stack[depth++] = w;
    }
}

// The node of smallest semidominator on the forest path from v (its root left out), with the path
// compressed.
static uint32_t eval(Dom *d, uint32_t v)
{
    if (d->ancestor[v] == UINT32_MAX) return d->label[v];
    uint32_t depth = 0;
    for (uint32_t at = v; d->ancestor[d->ancestor[at]] != UINT32_MAX; at = d->ancestor[at])
        d->stack[depth++] = at;
    while (depth) {
        uint32_t at = d->stack[--depth], up = d->ancestor[at];
        if (d->semi[d->label[up]] < d->semi[d->label[at]]) d->label[at] = d->label[up];
        d->ancestor[at] = d->ancestor[up];
    }
    return d->label[v];
}

void cfg_idoms(uint32_t n, uint32_t root, Neighbours succ, Neighbours pred, uint32_t *idom)
{
    uint32_t *memory = mem_alloc((size_t)n * 9 * sizeof *memory);
    Dom d = {memory,
             memory + n,
             memory + 2 * (size_t)n,
             memory + 3 * (size_t)n,
             memory + 4 * (size_t)n,
             memory + 5 * (size_t)n,
             memory + 6 * (size_t)n,
             memory + 7 * (size_t)n,
             0};
    for (uint32_t v = 0; v < n; v++) {
        idom[v] = UINT32_MAX;
        d.ancestor[v] = UINT32_MAX;
        d.label[v] = v;
    }
    number_nodes(&d, root, succ, memory + 8 * (size_t)n);
    for (uint32_t i = d.count; i-- > 1;) {
        uint32_t w = d.node[i], up = d.parent[w];
        for (uint32_t k = pred.first[w]; k < pred.first[w + 1]; k++) {
            uint32_t v = pred.list[k];
            if (!d.semi[v]) continue;
            uint32_t u = eval(&d, v);
            if (d.semi[u] < d.semi[w]) d.semi[w] = d.semi[u];
        }
        uint32_t s = d.node[d.semi[w] - 1];
        d.next[w] = d.bucket[s];
        d.bucket[s] = w + 1;
        d.ancestor[w] = up;
        while (d.bucket[up]) {
            uint32_t v = d.bucket[up] - 1;
            d.bucket[up] = d.next[v];
            uint32_t u = eval(&d, v);
            idom[v] = d.semi[u] < d.semi[v] ? u : up;
        }
    }
    for (uint32_t i = 1; i < d.count; i++) {
        uint32_t w = d.node[i];
        if (idom[w] != d.node[d.semi[w] - 1]) idom[w] = idom[idom[w]];
    }
    mem_free(memory);
}
