// Loops and how they nest, reducible or not.
//
// Havlak, "Nesting of reducible and irreducible loops" (1997), with the correction by Ramalingam,
// "Identifying loops in almost linear time" (1999). Headers are taken innermost first (descending
// depth-first number); a loop found is collapsed into its header with a union-find structure, so
// that it is one node for the loops around it. An edge that is neither in the depth-first tree nor
// closes a cycle (y -> x) is looked at no sooner than at the nearest common ancestor of y and x:
// only from there up can a loop contain both ends. If by then x lies inside a collapsed
// loop and is not its header, that loop is entered beside its header: it is irreducible.
#include "unit/cfg_int.h"

typedef struct {
    uint32_t next; // index + 1
    uint32_t from, to;
} LinkEdge;

typedef struct {
    Cfg *c;
    uint32_t *parent;            // in the depth-first tree
    uint32_t *pre;               // by block: depth-first number
    uint32_t *node;              // by depth-first number
    uint32_t *finished;          // union-find: a finished block belongs to its parent
    uint32_t *collapsed;         // union-find: a block belongs to the header of its loop
    uint32_t *back, *cross, *in; // lists of edges, by header, by common ancestor, by target
    uint32_t *header;            // of the innermost loop around a block; UINT32_MAX none
    uint32_t *seen;              // by block: header + 1 in whose body it was put last
    Bits is_header, irreducible;
    VEC(LinkEdge) edges;
    U32s body;
} Finder;

static uint32_t find(uint32_t *up, uint32_t v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}

static void add_edge(Finder *d, uint32_t *list, uint32_t from, uint32_t to)
{
    vec_push(&d->edges, ((LinkEdge){*list, from, to}));
    *list = d->edges.len;
}

// Numbers the blocks and sorts the edges that are not in the tree.
static void search(Finder *d)
{
    const Cfg *c = d->c;
    uint32_t n = c->block_count, depth = 0, count = 0;
    enum { NEW, OPEN, DONE };
    uint8_t *state = mem_alloc(n);
    uint32_t *memory = mem_alloc((size_t)n * 2 * sizeof *memory);
    uint32_t *stack = memory, *next = memory + n;
    stack[depth++] = 0;
    state[0] = OPEN;
    d->node[count++] = 0;
    while (depth) {
        uint32_t v = stack[depth - 1];
        if (next[v] == c->succ[v].count) {
            state[v] = DONE;
            depth--;
            if (depth) d->finished[v] = d->parent[v];
            continue;
        }
        uint32_t w = c->edges[c->succ[v].first + next[v]++];
        if (state[w] == NEW) {
            state[w] = OPEN;
            d->parent[w] = v;
            d->pre[w] = count;
            d->node[count++] = w;
            stack[depth++] = w;
        } else if (state[w] == OPEN) {
            add_edge(d, &d->back[w], v, w);
        } else {
            uint32_t common = d->pre[w] > d->pre[v] ? v : find(d->finished, w);
            add_edge(d, &d->cross[common], v, w);
        }
    }
    mem_free(state);
    mem_free(memory);
}

static void put(Finder *d, uint32_t block, uint32_t header)
{
    if (block == header || d->seen[block] == header + 1) return;
    d->seen[block] = header + 1;
    vec_push(&d->body, block);
}

static void loop_at(Finder *d, uint32_t w)
{
    for (uint32_t e = d->cross[w]; e; e = d->edges.at[e - 1].next) {
        uint32_t to = d->edges.at[e - 1].to, from = find(d->collapsed, d->edges.at[e - 1].from);
        uint32_t into = find(d->collapsed, to);
        if (into != to) {
            uint32_t h = to;
            do {
                h = d->header[h];
                bits_add(&d->irreducible, h);
            } while (h != into);
        }
        add_edge(d, &d->in[into], from, into);
    }
    vec_clear(&d->body);
    for (uint32_t e = d->back[w]; e; e = d->edges.at[e - 1].next)
        put(d, find(d->collapsed, d->edges.at[e - 1].from), w);
    if (!d->back[w]) return;
    bits_add(&d->is_header, w);
    for (uint32_t i = 0; i < d->body.len; i++) {
        uint32_t x = d->body.at[i];
        put(d, find(d->collapsed, d->parent[x]), w);
        for (uint32_t e = d->in[x]; e; e = d->edges.at[e - 1].next)
            put(d, find(d->collapsed, d->edges.at[e - 1].from), w);
    }
    vec_each (i, &d->body) {
        uint32_t x = d->body.at[i];
        d->header[x] = w;
        d->collapsed[x] = w;
    }
}

// The tables of Cfg from the headers. A loop's members lie in one range: its own blocks in
// reverse post order, which begins with the header, then the ranges of the loops inside.
static void lay_out(Finder *d, Arena *a)
{
    Cfg *c = d->c;
    uint32_t n = c->block_count;
    c->loop_count = bits_size(&d->is_header);
    c->loops = arena_array_of(a, Loop, c->loop_count);
    c->loop_of = arena_array_of(a, uint32_t, n);
    uint32_t count = 0, total = 0;
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = d->node[i]; // depth-first order: the loop around comes first
        uint32_t around = d->header[b] == UINT32_MAX ? 0 : c->loop_of[d->header[b]];
        c->loop_of[b] = around;
        if (!bits_has(&d->is_header, b)) continue;
        c->loops[count] = (Loop){.header = b,
                                 .parent = around,
                                 .depth = around ? c->loops[around - 1].depth + 1 : 1,
                                 .irreducible = bits_has(&d->irreducible, b)};
        c->loop_of[b] = ++count;
    }
    uint32_t *own = mem_alloc(((size_t)count + 1) * 2 * sizeof *own), *inner = own + count + 1;
    for (uint32_t b = 0; b < n; b++) {
        own[c->loop_of[b]]++;
        total += c->loop_of[b] != 0;
    }
    for (uint32_t l = count; l >= 1; l--) {
        c->loops[l - 1].blocks.count += own[l];
        uint32_t up = c->loops[l - 1].parent;
        if (up) c->loops[up - 1].blocks.count += c->loops[l - 1].blocks.count;
    }
    uint32_t outer = 0;
    for (uint32_t l = 1; l <= count; l++) {
        uint32_t up = c->loops[l - 1].parent, *cursor = up ? &inner[up] : &outer;
        c->loops[l - 1].blocks.first = *cursor;
        *cursor += c->loops[l - 1].blocks.count;
        inner[l] = c->loops[l - 1].blocks.first + own[l];
        own[l] = 0;
    }
    c->loop_blocks = arena_array_of(a, uint32_t, total);
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i], l = c->loop_of[b];
        if (l) c->loop_blocks[c->loops[l - 1].blocks.first + own[l]++] = b;
    }
    mem_free(own);
}

void cfg_find_loops(Cfg *c, Arena *a)
{
    uint32_t n = c->block_count;
    if (n == 0) {
        c->loop_of = arena_array_of(a, uint32_t, 0);
        return;
    }
    Arena *scratch = arena_new("loops");
    Finder d = {.c = c,
                .parent = arena_array_of(scratch, uint32_t, n),
                .pre = arena_array_of(scratch, uint32_t, n),
                .node = arena_array_of(scratch, uint32_t, n),
                .finished = arena_array_of(scratch, uint32_t, n),
                .collapsed = arena_array_of(scratch, uint32_t, n),
                .back = arena_array_of(scratch, uint32_t, n),
                .cross = arena_array_of(scratch, uint32_t, n),
                .in = arena_array_of(scratch, uint32_t, n),
                .header = arena_array_of(scratch, uint32_t, n),
                .seen = arena_array_of(scratch, uint32_t, n),
                .is_header = bits_new(scratch, n),
                .irreducible = bits_new(scratch, n)};
    for (uint32_t b = 0; b < n; b++) {
        d.finished[b] = d.collapsed[b] = b;
        d.header[b] = UINT32_MAX;
    }
    search(&d);
    for (uint32_t i = c->order_count; i-- > 0;) loop_at(&d, d.node[i]);
    lay_out(&d, a);
    vec_free(&d.edges);
    vec_free(&d.body);
    arena_free(scratch);
}
