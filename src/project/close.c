// Closing a set of instructions under what governs it.
//
// Block b depends on the branch at the end of block a when a has a successor s such that b lies on
// the way from s up the post-dominator tree, below a's own immediate post-dominator:
//
//     exit                      Each pair (a, s) is a path in the tree. When b becomes kept, all
//      |                        pairs are wanted whose path contains b: s lies in b's subtree,
//     ipdom(a)                  and ipdom(a) lies higher than b. The pairs are in an array in
//      |                        order of s in a walk over the tree, so a subtree is a range, under
//      b      a kept a is       a segment tree of the least level of ipdom(a). Each pair is taken
//      |      found by its      out once, in logarithmic time, in whatever order blocks become
//      s      pair (a, s)       kept.
#include "base/mem.h"
#include "project/project.h"

typedef struct {
    const Unit *u;
    const Func *f;
    const Cfg *c;
    const ProjectHow *how;
    Arena *a; // scratch
    Bits *keep;
    Bits live;       // blocks on the way to a kept one or to an exit
    Bits kept;       // blocks with a kept instruction
    U32s work;       // kept instructions whose needs were not looked at yet
    uint32_t *block; // by instruction
    uint32_t *ipdom, *level, *tour_in, *tour_out; // by block, the last three for the exit too
    uint32_t *pair_from;                          // the pairs (a, s): a
    uint32_t *pair_first;                         // by place in the tour: where s's pairs begin
    uint32_t *least;                              // segment tree over the pairs
    uint32_t pair_count, leaves;
} Closer;

static uint32_t terminator(const Closer *k, uint32_t block)
{
    const Block *b = func_block(k->u, k->f, block);
    return b->first + b->count - 1;
}

static bool leaves_function(const Closer *k, uint32_t block)
{
    uint8_t op = func_ins(k->u, k->f, terminator(k, block))->op;
    return op == OP_RET || op == OP_RESUME;
}

static void keep_ins(Closer *k, uint32_t ins)
{
    if (bits_add(k->keep, ins)) vec_push(&k->work, ins);
}

static bool reachable(const Closer *k, uint32_t block)
{
    return k->c->position[block] != UINT32_MAX;
}

// Backwards from kept blocks and exits. What is left over cannot matter.
static void find_live(Closer *k)
{
    const Cfg *c = k->c;
    U32s stack = {0};
    for (uint32_t i = 0; i < c->order_count; i++) {
        uint32_t b = c->order[i];
        const Block *block = func_block(k->u, k->f, b);
        bool seed = k->how->deaths || leaves_function(k, b) ||
                    bits_next(k->keep, block->first) < block->first + block->count;
        if (seed && bits_add(&k->live, b)) vec_push(&stack, b);
    }
    while (stack.len) {
        uint32_t b = vec_pop(&stack);
        for (uint32_t i = 0; i < c->pred[b].count; i++) {
            uint32_t p = c->edges[c->pred[b].first + i];
            if (reachable(k, p) && bits_add(&k->live, p)) vec_push(&stack, p);
        }
    }
    vec_free(&stack);
}

// Post-dominators among the live blocks; node n is the exit. Fills `back` with the edges turned
// around, which the tour does not need but cfg_idoms does.
static void post_dominators(Closer *k)
{
    const Cfg *c = k->c;
    uint32_t n = c->block_count, edges = n;
    Bits exits = bits_new(k->a, n);
    cfg_exits(c, &k->live, &exits);
    for (uint32_t b = 0; b < n; b++) edges += c->succ[b].count;
    uint32_t *back_first = arena_array_of(k->a, uint32_t, n + 2);
    uint32_t *ahead_first = arena_array_of(k->a, uint32_t, n + 2);
    uint32_t *back = arena_array_of(k->a, uint32_t, edges);
    uint32_t *ahead = arena_array_of(k->a, uint32_t, edges);
    uint32_t at = 0, to = 0;
    for (uint32_t b = 0; b < n; b++) {
        back_first[b] = at;
        ahead_first[b] = to;
        if (!bits_has(&k->live, b)) continue;
        for (uint32_t i = 0; i < c->pred[b].count; i++) {
            uint32_t p = c->edges[c->pred[b].first + i];
            if (bits_has(&k->live, p)) back[at++] = p;
        }
        for (uint32_t i = 0; i < c->succ[b].count; i++) {
            uint32_t s = c->edges[c->succ[b].first + i];
            if (bits_has(&k->live, s)) ahead[to++] = s;
        }
        if (bits_has(&exits, b)) ahead[to++] = n;
    }
    back_first[n] = at;
    ahead_first[n] = ahead_first[n + 1] = to;
    bits_each (b, &exits) back[at++] = b;
    back_first[n + 1] = at;
    k->ipdom = arena_array_of(k->a, uint32_t, n + 1);
    cfg_idoms(n + 1, n, (Neighbours){back_first, back}, (Neighbours){ahead_first, ahead}, k->ipdom);
}

// Levels, and places in a walk over the post-dominator tree.
static void tour(Closer *k)
{
    uint32_t n = k->c->block_count;
    uint32_t *child = arena_array_of(k->a, uint32_t, n + 1); // first child + 1
    uint32_t *next = arena_array_of(k->a, uint32_t, n + 1);  // next sibling + 1
    uint32_t *stack = arena_array_of(k->a, uint32_t, n + 1);
    k->level = arena_array_of(k->a, uint32_t, n + 1);
    k->tour_in = arena_array_of(k->a, uint32_t, n + 1);
    k->tour_out = arena_array_of(k->a, uint32_t, n + 1);
    for (uint32_t b = n; b-- > 0;) {
        if (!bits_has(&k->live, b)) continue;
        next[b] = child[k->ipdom[b]];
        child[k->ipdom[b]] = b + 1;
    }
    uint32_t depth = 0, place = 0;
    stack[depth++] = n;
    k->tour_in[n] = place++;
    while (depth) {
        uint32_t v = stack[depth - 1];
        if (!child[v]) {
            k->tour_out[v] = place;
            depth--;
            continue;
        }
        uint32_t w = child[v] - 1;
        child[v] = next[w];
        k->level[w] = depth;
        k->tour_in[w] = place++;
        stack[depth++] = w;
    }
}

static void pair_up(Closer *k)
{
    const Cfg *c = k->c;
    uint32_t n = c->block_count, edges = 0;
    uint32_t *at_place = arena_array_of(k->a, uint32_t, n + 1);
    uint32_t *ways = arena_array_of(k->a, uint32_t, n);
    for (uint32_t b = 0; b < n; b++) {
        edges += c->pred[b].count;
        for (uint32_t i = 0; i < c->succ[b].count; i++)
            ways[b] += bits_has(&k->live, c->edges[c->succ[b].first + i]);
        if (bits_has(&k->live, b)) at_place[k->tour_in[b]] = b;
    }
    uint32_t places = k->tour_out[n];
    k->pair_from = arena_array_of(k->a, uint32_t, edges + 1);
    k->pair_first = arena_array_of(k->a, uint32_t, (size_t)places + 1);
    for (uint32_t place = 1; place < places; place++) { // place 0 is the exit
        uint32_t s = at_place[place];
        k->pair_first[place] = k->pair_count;
        for (uint32_t i = 0; i < c->pred[s].count; i++) {
            uint32_t p = c->edges[c->pred[s].first + i];
            if (!bits_has(&k->live, p) || ways[p] < 2 || k->ipdom[p] == s) continue;
            k->pair_from[k->pair_count++] = p;
        }
    }
    k->pair_first[places] = k->pair_count;
    for (k->leaves = 1; k->leaves < k->pair_count;) k->leaves *= 2;
    k->least = arena_array_of(k->a, uint32_t, 2 * (size_t)k->leaves);
    for (uint32_t i = 0; i < k->leaves; i++)
        k->least[k->leaves + i] =
            i < k->pair_count ? k->level[k->ipdom[k->pair_from[i]]] : UINT32_MAX;
    for (uint32_t i = k->leaves - 1; i >= 1; i--) {
        uint32_t l = k->least[2 * i], r = k->least[2 * i + 1];
        k->least[i] = l < r ? l : r;
    }
}

// Takes out the pairs from `first` up to `end` whose level is below `level`. `at` covers the
// pairs from `low` on, `width` of them.
static void take(Closer *k, uint32_t at, uint32_t low, uint32_t width, uint32_t first, uint32_t end,
                 uint32_t level)
{
    if (k->least[at] >= level || low >= end || low + width <= first) return;
    if (width == 1) {
        k->least[at] = UINT32_MAX;
        keep_ins(k, terminator(k, k->pair_from[low]));
        return;
    }
    take(k, 2 * at, low, width / 2, first, end, level);
    take(k, 2 * at + 1, low + width / 2, width / 2, first, end, level);
    uint32_t l = k->least[2 * at], r = k->least[2 * at + 1];
    k->least[at] = l < r ? l : r;
}

static void keep_header(Closer *k, uint32_t loop, uint32_t block)
{
    const Loop *l = &k->c->loops[loop - 1];
    if (l->header == block && !(loop = l->parent)) return;
    keep_ins(k, terminator(k, k->c->loops[loop - 1].header));
}

static void look_at(Closer *k, uint32_t i)
{
    const Ins *ins = func_ins(k->u, k->f, i);
    uint32_t b = k->block[i];
    if (!bits_has(&k->live, b)) return;
    if (bits_add(&k->kept, b)) {
        take(k, 1, 0, k->leaves, k->pair_first[k->tour_in[b]], k->pair_first[k->tour_out[b]],
             k->level[b]);
        // The header keeps those of the loops around its own.
        if (k->how->headers && k->c->loop_of[b]) keep_header(k, k->c->loop_of[b], b);
    }
    if (ins->op == OP_PHI)
        for (uint32_t v = 0; v < ins->c; v++) {
            uint32_t from = *func_extra(k->u, k->f, ins->b + 2 * v);
            if (reachable(k, from)) keep_ins(k, terminator(k, from));
        }
    if (!k->how->values) return;
    Operands o = ins_operands(k->u, k->f, ins);
    for (uint32_t v = 0; v < o.count + o.more_count; v++) {
        Ref r = operand_at(&o, v);
        if (ref_is_ins(r) && reachable(k, k->block[ref_index(r)])) keep_ins(k, ref_index(r));
    }
}

void project_close(const Unit *u, const Func *f, const Cfg *c, const ProjectHow *how, Bits *keep)
{
    if (c->block_count == 0) return;
    Arena *a = arena_new("project close");
    Closer k = {.u = u, .f = f, .c = c, .how = how, .a = a, .keep = keep};
    k.live = bits_new(a, c->block_count);
    k.kept = bits_new(a, c->block_count);
    k.block = arena_array_of(a, uint32_t, f->ins_count);
    for (uint32_t b = 0; b < c->block_count; b++) {
        const Block *block = func_block(u, f, b);
        for (uint32_t i = 0; i < block->count; i++) k.block[block->first + i] = b;
    }
    find_live(&k);
    post_dominators(&k);
    tour(&k);
    pair_up(&k);
    bits_each (i, keep) vec_push(&k.work, i);
    for (uint32_t i = 0; i < c->order_count; i++)
        if (leaves_function(&k, c->order[i])) keep_ins(&k, terminator(&k, c->order[i]));
    while (k.work.len) look_at(&k, vec_pop(&k.work));
    vec_free(&k.work);
    arena_free(a);
}
